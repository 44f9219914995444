package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"fsa/internal/sealed"
	"fsa/validate"
)

// Folds are the regression models of the folds of a cross-validation, each with the absolute
// residuals of its held-out rows. CV+ intervals are computed from them (Barber et al. 2021).
type Folds struct {
	folds []fold
}

type fold struct {
	Model *spec `json:"model"`
	// Residuals are absolute residuals, ascending. If there are many rows, this is a subset.
	Residuals []float64 `json:"residuals"`
	Rows      int       `json:"rows"`
}

// Add adds the model of a fold and the absolute residuals of its held-out rows, in the unit of the
// target.
func (f *Folds) Add(m *Model, residuals []float64) {
	s := m.spec
	s.Training.Metrics = map[string]float64{} // because they would be metrics of all rows
	residuals = slices.Clone(residuals)
	slices.Sort(residuals)
	f.folds = append(f.folds, fold{&s, thinned(residuals), len(residuals)})
}

// Models returns the models of the folds.
func (f *Folds) Models() []*Model {
	list := make([]*Model, len(f.folds))
	for i := range f.folds {
		list[i] = &Model{spec: *f.folds[i].Model}
	}
	return list
}

// Intervals returns CV+ intervals. decision[i] holds the decision values of the rows, as computed
// by the model of fold i. An interval contains the target with a probability of about coverage, and
// of at least 2·coverage − 1 for any distribution.
func (f *Folds) Intervals(decision [][]float64, coverage float64) (low, high []float64, err error) {
	if !(coverage > 0 && coverage < 1) {
		return nil, nil, optionError("a coverage of %v: it must be above 0 and below 1", coverage)
	}
	for _, m := range f.Models() {
		if err := m.CheckLink(); err != nil {
			return nil, nil, err
		}
	}
	var residual, weight []float64
	var of []int
	rows := 0
	for i, fold := range f.folds {
		rows += fold.Rows
		for _, r := range fold.Residuals {
			residual, of = append(residual, r), append(of, i)
			weight = append(weight, float64(fold.Rows)/float64(len(fold.Residuals)))
		}
	}
	plus := validate.NewCVPlus(residual, of, weight)
	at, values := make([]float64, len(f.folds)), make([][]float64, len(decision))
	for i := range decision {
		values[i] = f.folds[i].Model.values(decision[i])
	}
	for i := range decision[0] {
		for m := range at {
			at[m] = values[m][i]
		}
		a, b := plus.Interval(at, coverage)
		if math.IsInf(a, 0) || math.IsInf(b, 0) {
			return nil, nil, optionError("a coverage of %v needs more than %d rows: use at most %.4g", coverage, rows, float64(rows)/float64(rows+1))
		}
		low, high = append(low, f.folds[0].Model.above(a)), append(high, b)
	}
	return low, high, nil
}

var foldsFile = sealed.Kind{Format: "fsa-folds", Version: 3, What: "the models of the folds of a fit"}

type foldsEnvelope struct {
	sealed.Head
	Folds json.RawMessage `json:"folds"`
}

// foldsBody is the content of the file: the folds, and the checksum of the model file that they
// belong to.
type foldsBody struct {
	Model string `json:"model"`
	Folds []fold `json:"folds"`
}

// Write writes the models of the folds, together with the checksum of their model file.
func (f *Folds) Write(w io.Writer, model string) error {
	body, err := json.Marshal(foldsBody{model, f.folds})
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	file, err := json.Marshal(foldsEnvelope{foldsFile.Seal(body), body})
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	_, err = w.Write(append(file, '\n'))
	return err
}

// ReadFolds reads the models of the folds, and the checksum of the model file that they belong to.
func ReadFolds(r io.Reader) (f *Folds, model string, err error) {
	refused := func(err error) (*Folds, string, error) { return nil, "", fmt.Errorf("%w: %w", ErrModelFile, err) }
	file, err := readAs(foldsFile, r)
	if err != nil {
		return nil, "", err
	}
	var e foldsEnvelope
	if err := json.Unmarshal(file, &e); err != nil {
		return refused(errors.New("it is cut off or not JSON"))
	}
	var body foldsBody
	if err := foldsFile.Open(e.Head, e.Folds, &body, foldsUpgrades...); err != nil {
		return refused(err)
	}
	if len(body.Folds) < 2 {
		return refused(errors.New("it has fewer than two folds"))
	}
	for i := range body.Folds {
		if err := body.Folds[i].check(); err != nil {
			return refused(fmt.Errorf("fold %d: %w", i+1, err))
		}
	}
	return &Folds{body.Folds}, body.Model, nil
}

func (f *fold) check() error {
	switch {
	case f.Model == nil:
		return errors.New("it has no model")
	case f.Model.Task != Regression || f.Model.Outputs != 1:
		return errors.New("its model does not predict one number")
	case f.Rows < len(f.Residuals) || f.Rows > 0 && len(f.Residuals) == 0 || !slices.IsSorted(f.Residuals):
		return errors.New("its residuals are not in order")
	}
	for _, r := range f.Residuals {
		if !finite(r) || r < 0 {
			return errors.New("a residual is negative or not a number")
		}
	}
	return f.Model.check()
}
