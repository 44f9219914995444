package fsa_test

import (
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// If k is larger than the number of true variables, the adaptive ridge shrinks weak variables more than strong ones, and
// predicts new rows better than any common ridge.
func TestAdaptiveRidge(t *testing.T) {
	const rows, cols, k = 150, 300, 20
	adaptive, tables, ridges := 0, 3, []float64{1e-3, 0.01, 0.1, 0.3, 1}
	if testing.Short() {
		tables, ridges = 2, []float64{0.01, 0.3}
	}
	for seed := range uint64(tables) {
		rng := rand.New(rand.NewPCG(seed, 9))
		row := func(*rand.Rand) []float64 {
			r := make([]float64, cols)
			for j := range r {
				r[j] = rng.NormFloat64()
			}
			return append(r, r[3]-r[40]+r[77]+0.5*rng.NormFloat64())
		}
		d, fresh := rowsOf(t, rows, row), rowsOf(t, 2000, row)
		m := fit(t, d, fsa.Options{K: k})
		if m.Training().Adaptive != m.Validation().Adaptive || len(m.Selected()) != k {
			t.Errorf("seed %d: adaptive %v, but validated %v, %d variables", seed, m.Training().Adaptive, m.Validation().Adaptive, len(m.Selected()))
		}
		if m.Training().Adaptive {
			adaptive++
		}
		for _, ridge := range ridges {
			if a, b := measure(t, m, fresh, "rmse"), measure(t, fit(t, d, fsa.Options{K: k, Objective: fsa.Objective{Ridge: ridge}}), fresh, "rmse"); a >= b {
				t.Errorf("seed %d: the error is %v, and %v with a ridge of %v", seed, a, b, ridge)
			}
		}
	}
	if adaptive < tables-1 {
		t.Errorf("the ridge is adaptive on %d of %d tables", adaptive, tables)
	}
}

// measure measures a model on a dataset.
func measure(t *testing.T, m *model.Model, d *data.Dataset, name string) float64 {
	t.Helper()
	p, err := m.PredictDataset(background, d)
	if err != nil {
		t.Fatal(err)
	}
	measures, err := p.Measures(d.Target)
	if err != nil {
		t.Fatal(err)
	}
	v, known := measures[name]
	if !known {
		t.Fatalf("%s is not measured: %v", name, measures)
	}
	return v
}
