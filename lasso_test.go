package fsa_test

import (
	"math/rand/v2"
	"testing"

	"fsa"
)

// Columns can leave the lasso path again, so larger selections need not contain the smaller ones. Sizes are still compared
// on tables with more columns than rows.
func TestSizesOfTheLasso(t *testing.T) {
	const cols, block = 200, 10
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		own := rand.New(rand.NewPCG(seed, 21))
		d := rowsOf(t, 40, func(*rand.Rand) []float64 {
			row := make([]float64, cols)
			shared := 0.0
			for j := range row {
				if j%block == 0 {
					shared = own.NormFloat64()
				}
				row[j] = shared + 0.7*own.NormFloat64()
			}
			return append(row, row[5]-row[25]+row[45]+0.5*own.NormFloat64())
		})
		m := fit(t, d, fsa.Options{})
		if v := m.Validation(); v == nil || v.Gain <= 0 {
			t.Errorf("seed %d: no variable was found: %+v", seed, v)
		}
	}
}
