package matrix

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Rows that are added many at a time give the moments that cells give one by one, to the last
// bit, whatever the weights.
func TestAddRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	const rows, cols = 40, 700
	x := make([]float32, rows*cols)
	for i := range x {
		switch x[i] = float32(rng.NormFloat64()); rng.IntN(50) {
		case 0:
			x[i] = float32(math.NaN())
		case 1:
			x[i] = 0
		}
	}
	for name, weight := range map[string]func(i int) float64{
		"ones":      func(int) float64 { return 1 },
		"a fold":    func(i int) float64 { return float64(min(i%3, 1)) },
		"none":      func(int) float64 { return 0 },
		"fractions": func(i int) float64 { return float64(i%4) / 4 },
	} {
		for _, wild := range []float32{0, float32(math.Inf(1))} {
			x[3*cols+5] = wild // in a row without weight of the fold
			got, want := make([]Moments, cols), make([]Moments, cols)
			AddRows(got, 0, rows/2, x, weight)
			AddRows(got, rows/2, rows/2, x[rows/2*cols:], weight)
			for i, v := range x {
				want[i%cols].Add(v, weight(i/cols))
			}
			for j := range want {
				if g, w := got[j], want[j]; g != w && !(math.IsNaN(g.Sum) && math.IsNaN(w.Sum)) {
					t.Fatalf("%s, column %d: %+v, want %+v", name, j, g, w)
				}
			}
		}
	}
}
