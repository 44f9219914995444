package fsa_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// Where more variables are asked for than there are to find, those that add little are shrunk more than others, and rows that
// were not learned from are predicted better than with any ridge that is the same for all.
func TestAdaptiveRidge(t *testing.T) {
	const rows, cols, k = 150, 300, 20
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 9))
		table := func(rows int) (*data.Dataset, []float64) {
			var x, y []float64
			for range rows {
				row := make([]float64, cols)
				for j := range row {
					row[j] = rng.NormFloat64()
				}
				x, y = append(x, row...), append(y, row[3]-row[40]+row[77]+0.5*rng.NormFloat64())
			}
			d, err := data.FromRows(nil, cols, x, slices.Clone(y))
			if err != nil {
				t.Fatal(err)
			}
			return d, y
		}
		d, _ := table(rows)
		fresh, y := table(2000)
		squares := func(m *model.Model) (sum float64) {
			p, err := m.PredictDataset(context.Background(), fresh)
			if err != nil {
				t.Fatal(err)
			}
			for i, z := range p.Decision {
				sum += (z - y[i]) * (z - y[i])
			}
			return sum / float64(len(y))
		}
		m := fit(t, d, fsa.Options{K: k})
		if !m.Training().Adaptive || !m.Validation().Adaptive || len(m.Selected()) != k {
			t.Errorf("seed %d: adaptive %v, %d variables", seed, m.Training().Adaptive, len(m.Selected()))
		}
		for _, ridge := range []float64{1e-3, 0.01, 0.1, 0.3, 1} {
			if a, b := squares(m), squares(fit(t, d, fsa.Options{K: k, Ridge: ridge})); a >= b {
				t.Errorf("seed %d: the squared error is %v, and %v with a ridge of %v", seed, a, b, ridge)
			}
		}
	}
}
