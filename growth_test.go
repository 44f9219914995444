package fsa_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
)

// The curvature of the loss of counts is unbounded, and the first steps are much too long for columns with outliers. A step
// that raises the loss above twice the null loss is undone, so that every fit ends, and finds most of the three true
// variables.
func TestStepsOfCountsWithOutliers(t *testing.T) {
	const rows, columns, tables = 400, 60, 8
	found := 0
	for seed := range uint64(tables) {
		r := rand.New(rand.NewPCG(seed, 1))
		x, y := make([]float64, rows*columns), make([]float64, rows)
		for i := range y {
			row := x[i*columns : (i+1)*columns]
			for j := range row { // Student's t with 3 degrees of freedom
				var chi float64
				for range 3 {
					v := r.NormFloat64()
					chi += v * v
				}
				row[j] = r.NormFloat64() / math.Sqrt(chi/3)
			}
			y[i] = poisson(r, math.Exp(min(max(0.8*(row[0]+row[7]-row[23]), -8), 8)))
		}
		d, err := data.FromRows(nil, columns, x, y)
		if err != nil {
			t.Fatal(err)
		}
		m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 3, Loss: "poisson", Bins: fsa.None, Quick: true})
		if err != nil {
			t.Errorf("table %d: %v", seed, err)
			continue
		}
		for _, v := range m.Selected() {
			if v.Index == 0 || v.Index == 7 || v.Index == 23 {
				found++
			}
		}
	}
	t.Logf("%d of %d true variables", found, 3*tables)
	if found < 2*tables {
		t.Errorf("%d of %d true variables", found, 3*tables)
	}
}

// poisson returns a random count.
func poisson(r *rand.Rand, rate float64) float64 {
	n, at := 0.0, r.ExpFloat64()
	for ; at < rate; at += r.ExpFloat64() {
		n++
	}
	return n
}
