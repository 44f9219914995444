package fsa

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/atomicfile"
	"fsa/internal/sealed"
)

// A model file is JSON: what it is, a version, a checksum, and the model. The
// checksum is over the bytes of the model, so a file that was cut or edited is
// refused.

var modelFile = sealed.Kind{Format: "fsa-model", Version: 1, What: "a model of fsa"}

const maxFile = 4 << 30

type envelope struct {
	sealed.Head
	Model json.RawMessage `json:"model"`
}

// ErrModelFile is wrapped by errors that blame a model file.
var ErrModelFile = fmt.Errorf("not a usable model: %w", data.ErrBadData)

// WriteTo writes the model as JSON.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	body, err := json.Marshal(&m.spec)
	if err != nil {
		return 0, fmt.Errorf("fsa: model: %w", err)
	}
	file, err := json.Marshal(envelope{modelFile.Seal(body), body})
	if err != nil {
		return 0, fmt.Errorf("fsa: model: %w", err)
	}
	n, err := w.Write(append(file, '\n'))
	return int64(n), err
}

// Save writes the model to a file, which appears whole or not at all.
func (m *Model) Save(path string) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		_, err := m.WriteTo(w)
		return err
	})
}

// LoadModel reads a model from a file.
func LoadModel(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ReadModel(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// ReadModel reads a model and checks every field of it.
func ReadModel(r io.Reader) (*Model, error) {
	file, err := io.ReadAll(io.LimitReader(r, maxFile))
	if err != nil {
		return nil, err
	}
	refuse := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", ErrModelFile, fmt.Sprintf(format, a...))
	}
	var e envelope
	if err := json.Unmarshal(file, &e); err != nil {
		return nil, refuse("it is cut off or not JSON (%v)", err)
	}
	m := &Model{}
	if err := modelFile.Open(e.Head, e.Model, &m.spec); err != nil {
		return nil, refuse("%v", err)
	}
	if err := m.spec.check(); err != nil {
		return nil, refuse("%v", err)
	}
	return m, nil
}

// check refuses a model that could not have been learned.
func (s *spec) check() error {
	kind, known := losses[s.Loss]
	switch {
	case !known && s.Loss != customLoss:
		return fmt.Errorf("unknown loss %q", s.Loss)
	case known && kind.task != s.Task, !known && s.Task == Classification, s.Task != Regression && s.Task != Classification && s.Task != Ranking:
		return fmt.Errorf("task %q does not go with the loss %q", s.Task, s.Loss)
	case s.Outputs < 1 || s.Outputs > maxClasses:
		return fmt.Errorf("%d outputs", s.Outputs)
	case len(s.Intercept) != s.Outputs || !finite(s.Intercept...):
		return errors.New("the intercept is not a finite number for each output")
	case s.Task == Classification && len(s.Classes) != max(s.Outputs, 2), kind.many && s.Outputs < 2:
		return fmt.Errorf("%d classes for %d outputs", len(s.Classes), s.Outputs)
	case s.Task != Classification && len(s.Classes) > 0, known && !kind.many && s.Outputs != 1:
		return errors.New("classes or outputs do not go with the task")
	case s.Bins < 0 || s.Bins > MaxBins:
		return fmt.Errorf("%d bins", s.Bins)
	case s.Width < 0 || s.Width > math.MaxInt32:
		return fmt.Errorf("a width of %d", s.Width)
	case len(s.Variables) > s.Training.Columns:
		return fmt.Errorf("%d variables of %d columns", len(s.Variables), s.Training.Columns)
	case len(s.Variables) == 0:
		return errors.New("there are no variables")
	}
	if slices.Contains(s.Classes, "") || len(slices.Compact(slices.Sorted(slices.Values(s.Classes)))) != len(s.Classes) {
		return errors.New("two classes have the same name, or one has none")
	}
	names, indices := make(map[string]bool, len(s.Variables)), make(map[int]bool, len(s.Variables))
	for i := range s.Variables {
		v := &s.Variables[i]
		if names[v.Name] || indices[v.Index] {
			return fmt.Errorf("variable %q is there twice", v.Name)
		}
		names[v.Name], indices[v.Index] = true, true
		if err := v.check(s); err != nil {
			return fmt.Errorf("variable %q: %w", v.Name, err)
		}
		if i > 0 && v.Norm > s.Variables[i-1].Norm {
			return fmt.Errorf("variable %q is out of order", v.Name)
		}
	}
	return s.Training.check()
}

// ascend reports whether each number is larger than the one before it.
func ascend(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if !(x[i-1] < x[i]) {
			return false
		}
	}
	return true
}

func (v *variable) check(s *spec) error {
	want := s.Outputs // coefficients
	if v.Kind != curve && v.Knots != nil {
		return errors.New("it has knots and is no curve")
	}
	switch v.Kind {
	case linear:
		if s.Bins > 0 || v.Levels != nil || v.Missing != nil {
			return errors.New("it is linear and something else")
		}
	case curve:
		want *= s.Bins + 1
		even := v.Knots == nil && v.Low < v.High
		uneven := len(v.Knots) == s.Bins+1 && finite(v.Knots...) && ascend(v.Knots)
		if s.Bins == 0 || v.Levels != nil || !even && !uneven || v.Missing != nil && len(v.Missing) != s.Outputs {
			return errors.New("its knots make no sense")
		}
	case steps:
		want *= s.Bins
		if s.Bins == 0 || s.Outputs != 1 || v.Levels != nil || v.Missing != nil || !(v.Low < v.High) {
			return errors.New("its steps make no sense")
		}
	case categorical:
		want *= len(v.Levels)
		seen := map[string]bool{}
		for _, l := range v.Levels {
			if seen[l] {
				return fmt.Errorf("level %q is there twice", l)
			}
			seen[l] = true
		}
		if len(v.Levels) < 2 || v.Missing != nil {
			return errors.New("a category needs two levels, and nothing else")
		}
	default:
		return fmt.Errorf("unknown kind %q", v.Kind)
	}
	if v.Index < 0 || v.Index > math.MaxInt32 {
		return fmt.Errorf("index %d", v.Index)
	}
	if len(v.Coefficients) != want {
		return fmt.Errorf("%d coefficients instead of %d", len(v.Coefficients), want)
	}
	if !finite(v.Coefficients...) || !finite(v.Missing...) || !finite(v.Norm, v.Center, v.Mean, v.Low, v.High) || v.Norm < 0 {
		return errors.New("a number is not finite or a norm is negative")
	}
	return nil
}

func (t *Training) check() error {
	for _, v := range t.Metrics {
		if !finite(v) {
			return errors.New("a metric is not finite")
		}
	}
	if !t.Scale.Known() {
		return fmt.Errorf("unknown scale %q", t.Scale)
	}
	if !t.Storage.Known() {
		return fmt.Errorf("unknown storage %q", t.Storage)
	}
	if !finite(t.Shrink) || t.Shrink < 0 {
		return fmt.Errorf("shrinkage of %v", t.Shrink)
	}
	switch t.IndexBase {
	case "", "0", "1":
	default:
		return fmt.Errorf("unknown index base %q", t.IndexBase)
	}
	if t.Status != anneal.Completed.String() && t.Status != anneal.Settled.String() {
		return fmt.Errorf("unknown status %q", t.Status)
	}
	if t.Metrics == nil || t.Rows < 1 || t.Columns < 1 || t.K < 1 || t.Epochs < 1 || !finite(t.Passes, t.Eta) || t.Passes < 0 || t.Eta < 0 {
		return errors.New("the record of the training makes no sense")
	}
	return nil
}
