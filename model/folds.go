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

// Folds are the models that the folds of a cross-validation have learned of a number, each
// with the absolute residuals of the rows that it has not learned from: what intervals of
// CV+ are made of (Barber et al. 2021).
type Folds struct {
	folds []fold
}

type fold struct {
	Model *spec `json:"model"`
	// Residuals are some of all, ascending, each of which stands for as many rows.
	Residuals []float64 `json:"residuals"`
	Rows      int       `json:"rows"`
}

// Add adds a model and the absolute residuals of the rows that it has not learned from, in
// the unit of the response.
func (f *Folds) Add(m *Model, residuals []float64) {
	s := m.spec
	s.Training.Metrics = map[string]float64{} // which would be of all rows
	residuals = slices.Clone(residuals)
	slices.Sort(residuals)
	f.folds = append(f.folds, fold{&s, thinned(residuals), len(residuals)})
}

// Models returns those of the folds.
func (f *Folds) Models() []*Model {
	list := make([]*Model, len(f.folds))
	for i := range f.folds {
		list[i] = &Model{spec: *f.folds[i].Model}
	}
	return list
}

// Intervals returns numbers between which the response of each row lies with about the
// probability coverage, and whatever the data are with at least 2·coverage − 1, from what
// each model decides of the rows.
func (f *Folds) Intervals(decision [][]float64, coverage float64) (low, high []float64, err error) {
	if !(coverage > 0 && coverage < 1) {
		return nil, nil, optionError("a coverage of %v: it must be above 0 and below 1", coverage)
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
	at := make([]float64, len(f.folds))
	for i := range decision[0] {
		for m := range at {
			at[m] = decision[m][i]
		}
		a, b := plus.Interval(at, coverage)
		if math.IsInf(a, 0) || math.IsInf(b, 0) {
			return nil, nil, optionError("a coverage of %v cannot be had from %d rows: ask for at most %.4g", coverage, rows, float64(rows)/float64(rows+1))
		}
		low, high = append(low, a), append(high, b)
	}
	return low, high, nil
}

var foldsFile = sealed.Kind{Format: "fsa-folds", Version: 1, What: "the models of the folds of a fit"}

type foldsEnvelope struct {
	sealed.Head
	Folds json.RawMessage `json:"folds"`
}

// foldsBody is what is sealed: the folds, and the checksum of the model file that they
// belong to.
type foldsBody struct {
	Model string `json:"model"`
	Folds []fold `json:"folds"`
}

// Write writes them for the model file of some checksum.
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

// ReadFolds reads them, and the checksum of the model file that they belong to.
func ReadFolds(r io.Reader) (f *Folds, model string, err error) {
	refused := func(err error) (*Folds, string, error) { return nil, "", fmt.Errorf("%w: %w", ErrModelFile, err) }
	file, err := readAs(foldsFile, r)
	if err != nil {
		return nil, "", err
	}
	var e foldsEnvelope
	if err := json.Unmarshal(file, &e); err != nil {
		return refused(fmt.Errorf("it is cut off or not JSON (%w)", err))
	}
	var body foldsBody
	if err := foldsFile.Open(e.Head, e.Folds, &body); err != nil {
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
		return errors.New("its model is not that of one number")
	case f.Rows < len(f.Residuals) || f.Rows > 0 && len(f.Residuals) == 0 || !slices.IsSorted(f.Residuals):
		return errors.New("its residuals are not in order")
	}
	for _, r := range f.Residuals {
		if !finite(r) || r < 0 {
			return errors.New("a residual is not a number from 0 on")
		}
	}
	return f.Model.check()
}
