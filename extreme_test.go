package fsa_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// withExtremes returns the options of rows of ten columns, whose target depends on the first three; a few are wrong.
func withExtremes(t *testing.T) func(o fsa.Options) *model.Model {
	n := 0
	d := rowsOf(t, 120, func(rng *rand.Rand) []float64 {
		var row []float64
		for range 10 {
			row = append(row, rng.NormFloat64())
		}
		y := row[0] - row[1] + row[2] + 0.3*rng.NormFloat64()
		if n++; n%40 == 0 {
			y = 100
		}
		return append(row, y)
	})
	return func(o fsa.Options) *model.Model {
		t.Helper()
		m, err := fsa.Fit(background, d, o)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

// A few wrong targets do not hide what the others depend on, unless the squared loss is asked for.
func TestExtremeTargets(t *testing.T) {
	fit := withExtremes(t)
	for _, k := range []int{fsa.Auto, 3} {
		m := fit(fsa.Options{K: k})
		var selected []int
		for _, v := range m.Selected() {
			selected = append(selected, v.Index)
		}
		if slices.Sort(selected); m.Loss() != "huber" || m.Validation().Measure != "huber" || !slices.Equal(selected, []int{0, 1, 2}) {
			t.Errorf("k = %d: the %s loss selects %v", k, m.Loss(), selected)
		}
	}
	if m := fit(fsa.Options{Loss: "squared"}); m.Loss() != "squared" || len(m.Selected()) == 3 {
		t.Errorf("the %s loss selects %d variables", m.Loss(), len(m.Selected()))
	}
}

// Extreme targets that the columns predict are no mistakes, and the squared loss follows them.
func TestPredictableExtremes(t *testing.T) {
	n := 0
	d := rowsOf(t, 120, func(rng *rand.Rand) []float64 {
		a, b, long := rng.NormFloat64(), rng.NormFloat64(), 0.0
		if n++; n%30 == 0 {
			long = 20 + 20*rng.Float64()
		}
		return []float64{a, b, long, a + 3*long + 0.3*rng.NormFloat64()}
	})
	if model.Extreme(d.Target) == 0 {
		t.Fatal("no target is extreme")
	}
	m, err := fsa.Fit(background, d, fsa.Options{K: 2})
	if err != nil {
		t.Fatal(err)
	}
	if m.Loss() != "squared" {
		t.Errorf("the %s loss", m.Loss())
	}
}

// thirtieths returns 120 rows with an effect of the first of two columns, of which every thirtieth has an extreme target.
func thirtieths(t *testing.T) *data.Dataset {
	n := 0
	return rowsOf(t, 120, func(rng *rand.Rand) []float64 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		y := a + 0.3*rng.NormFloat64()
		if n++; n%30 == 0 {
			y = 100
		}
		return []float64{a, b, y}
	})
}

// Options of which one is fitted by the huber loss are compared by a measure that all losses share.
func TestExtremesAmong(t *testing.T) {
	d := thirtieths(t)
	for _, losses := range [][2]string{{"auto", "auto"}, {"auto", "huber"}} {
		c, err := fsa.BestOf(background, d, []fsa.Options{{K: 1, Bins: fsa.None, Loss: losses[0]}, {K: 1, Bins: 3, Loss: losses[1]}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := c.Job.Run(background)
		if err != nil {
			t.Fatal(err)
		}
		if c.Measure != "rmse" || m.Loss() != "huber" {
			t.Errorf("%v: the %s loss was chosen by %s", losses, m.Loss(), c.Measure)
		}
	}
}

// Cross-validation of the whole procedure chooses the loss anew in each fold.
func TestNestedExtremes(t *testing.T) {
	d := thirtieths(t)
	j, err := fsa.Prepare(background, d, fsa.Options{K: 1, Validation: fsa.Validation{Folds: 3}})
	if err != nil {
		t.Fatal(err)
	}
	folds, err := j.Folds(background)
	if err != nil {
		t.Fatal(err)
	}
	c, err := fsa.CrossValidate(background, d, fsa.Options{K: 1}, folds)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range c.Models {
		if m.Loss() != "huber" {
			t.Errorf("fold %d has the %s loss", i, m.Loss())
		}
	}
}
