package fsa_test

import (
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
)

// The lasso takes columns back on its way, so that its larger selections need not hold the smaller ones: sizes of tables with
// more columns than rows are compared all the same.
func TestSizesOfTheLasso(t *testing.T) {
	const rows, cols, block = 40, 200, 10
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 21))
		var x, y []float64
		for range rows {
			row := make([]float64, cols)
			shared := 0.0
			for j := range row {
				if j%block == 0 {
					shared = rng.NormFloat64()
				}
				row[j] = shared + 0.7*rng.NormFloat64()
			}
			x, y = append(x, row...), append(y, row[5]-row[25]+row[45]+0.5*rng.NormFloat64())
		}
		d, err := data.FromRows(nil, cols, x, y)
		if err != nil {
			t.Fatal(err)
		}
		m := fit(t, d, fsa.Options{})
		if v := m.Validation(); v == nil || v.Gain <= 0 {
			t.Errorf("seed %d: nothing is found: %+v", seed, v)
		}
	}
}
