package fsa_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// Tables with few rows are either fitted or refused with an error that says how many rows are needed for what.
func TestFewRows(t *testing.T) {
	x, y := []float64{1, 2, 2, 5, 3, 3, 4, 1}, []float64{3, 7, 6, 1}
	for _, c := range []struct {
		rows int
		o    fsa.Options
		says string // expected in the error; empty if a model is expected
	}{
		{2, fsa.Options{K: 1, Loss: "squared"}, ""},
		{2, fsa.Options{K: 1, Loss: "huber", Bins: 3}, ""},
		{2, fsa.Options{Loss: "squared"}, "2 rows are too few for cross-validation"},
		{2, fsa.Options{K: 1, Loss: "squared", Validation: fsa.Validation{Folds: 2}}, "2 rows are too few for cross-validation"},
		{3, fsa.Options{K: 1, Loss: "squared"}, ""},
		{4, fsa.Options{Loss: "squared"}, ""},
	} {
		d, err := data.FromRows(nil, 2, x[:2*c.rows], y[:c.rows])
		if err != nil {
			t.Fatal(err)
		}
		_, err = fsa.Fit(t.Context(), d, c.o)
		if c.says == "" && err != nil || c.says != "" && !(errors.Is(err, data.ErrBadData) && strings.Contains(err.Error(), c.says)) {
			t.Errorf("%d rows, %+v: %v", c.rows, c.o, err)
		}
	}
}

// If few rows are separated without an error, candidates are compared as if a further label might be wrong (rule of
// succession). So the ridge is stronger than by the log loss alone. The reported log loss does not include this term.
func TestCaution(t *testing.T) {
	const rows = 24
	var x, y []float64
	for i := range rows {
		side := float64(2*(i%2) - 1)
		x, y = append(x, side*(1+float64(i)/rows), float64(i*7%rows)), append(y, side)
	}
	fit := func(measure string) *model.Validation {
		d, err := data.FromRows(nil, 2, x, y)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 1, Validation: fsa.Validation{Measure: measure}})
		if err != nil {
			t.Fatal(err)
		}
		return m.Validation()
	}
	cautious, plain := fit(""), fit("logloss")
	if cautious.Ridge <= plain.Ridge {
		t.Errorf("ridge %v, and %v by the log loss alone", cautious.Ridge, plain.Ridge)
	}
	if point := cautious.Points[len(cautious.Points)-1]; math.Abs(point.Mean-cautious.Metrics["logloss"]) > 0.01*point.Mean {
		t.Errorf("log loss %v is reported, and %v measured", point.Mean, cautious.Metrics["logloss"])
	}
}

// With k open, a class with few rows reduces the number of folds only if the measure needs rows of each class.
func TestRareClassFolds(t *testing.T) {
	var x, y []float64
	for i := range 60 {
		class := float64(i % 2)
		if i%20 == 0 {
			class = 2
		}
		x, y = append(x, class+float64(i%7)/10, float64(i%11)), append(y, class)
	}
	for measure, want := range map[string]int{"": 10, "balanced": 3} {
		d, err := data.FromRows(nil, 2, x, y)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fsa.Fit(t.Context(), d, fsa.Options{Loss: "multinomial", Validation: fsa.Validation{Measure: measure}})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Validation().Folds; got != want {
			t.Errorf("measure %q: %d folds, not %d", measure, got, want)
		}
	}
}
