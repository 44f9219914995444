package fsa_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/internal/need"
)

// If many variables can nearly separate two classes, the ridge that the contest chooses gives better probabilities of new
// rows than almost no ridge.
func TestShrink(t *testing.T) {
	need.Long(t)
	rows, cols, k := need.Sweep(400, 2100), need.Sweep(60, 150), need.Sweep(30, 90)
	rng := rand.New(rand.NewPCG(6, 1))
	row := func(*rand.Rand) []float64 {
		r, z := make([]float64, cols), 0.0
		for j := range r {
			r[j] = rng.NormFloat64()
			z += r[j] / float64(1+j%20)
		}
		return append(r, math.Copysign(1, z+0.2*rng.NormFloat64()))
	}
	d, fresh := rowsOf(t, rows, row), rowsOf(t, 4000, row)
	m := fit(t, d, fsa.Options{K: k, Bins: fsa.None})
	given := fit(t, d, fsa.Options{K: k, Bins: fsa.None, Objective: fsa.Objective{Ridge: 0.05 / float64(rows)}})
	if a, b := measure(t, m, fresh, "logloss"), measure(t, given, fresh, "logloss"); !(a < 0.9*b) || m.Training().Ridge <= given.Training().Ridge {
		t.Errorf("log loss %v with a ridge of %v, and %v with %v", a, m.Training().Ridge, b, given.Training().Ridge)
	}
	if m.Validation() == nil {
		t.Error("there are no out-of-fold predictions")
	}
}
