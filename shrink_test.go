package fsa_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// Of two classes that many variables can nearly tell apart, the probabilities of new rows are better with the ridge that folds choose for what was
// chosen than with hardly any, also where there are too many rows for folds that choose anew.
func TestShrink(t *testing.T) {
	const rows, cols, k = 2100, 150, 90
	rng := rand.New(rand.NewPCG(6, 1))
	table := func(rows int) (*data.Dataset, []float64) {
		var x, y []float64
		for range rows {
			row, z := make([]float64, cols), 0.0
			for j := range row {
				row[j] = rng.NormFloat64()
				z += row[j] / float64(1+j%20)
			}
			x, y = append(x, row...), append(y, math.Copysign(1, z+0.2*rng.NormFloat64()))
		}
		d, err := data.FromRows(nil, cols, x, y)
		if err != nil {
			t.Fatal(err)
		}
		return d, y
	}
	d, _ := table(rows)
	fresh, y := table(4000)
	logLoss := func(m *model.Model) (sum float64) {
		p, err := m.PredictDataset(context.Background(), fresh)
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range p.Decision {
			sum += math.Log1p(math.Exp(-z * y[i]))
		}
		return sum / float64(len(y))
	}
	m := fit(t, d, fsa.Options{K: k})
	given := fit(t, d, fsa.Options{K: k, Ridge: 0.05 / rows})
	if a, b := logLoss(m), logLoss(given); !(a < 0.9*b) || m.Training().Ridge <= given.Training().Ridge {
		t.Errorf("log loss %v with a ridge of %v, and %v with %v", a, m.Training().Ridge, b, given.Training().Ridge)
	}
	if m.Validation() != nil {
		t.Error("it says that it was validated, but folds have not chosen anew")
	}
}
