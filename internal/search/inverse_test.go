package search

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The solution has the columns that do not depend on others, and rounding errors do not count as a column.
func TestInverse(t *testing.T) {
	for name, c := range map[string]struct {
		a       []float64
		b, x    []float64
		product float64
		rank    int
	}{
		"regular":        {[]float64{2, 1, 1, 3}, []float64{3, 4}, []float64{1, 1}, 7, 2},
		"of two units":   {[]float64{4e6, 0, 0, 1e-6}, []float64{8e6, 3e-6}, []float64{2, 3}, 16e6 + 9e-6, 2},
		"equal columns":  {[]float64{1, 1, 1, 1}, []float64{2, 2}, []float64{2, 0}, 4, 1},
		"a zero column":  {[]float64{0, 0, 0, 2}, []float64{0, 4}, []float64{0, 2}, 8, 1},
		"nothing":        {[]float64{0, 0, 0, 0}, []float64{0, 0}, []float64{0, 0}, 0, 0},
		"rounding error": {[]float64{1, 1 - 1e-13, 1 - 1e-13, 1}, []float64{2, 2}, []float64{2, 0}, 4, 1},
	} {
		product, rank, x := invert(mat.NewDense(2, 2, c.a)).solve(mat.NewVecDense(2, c.b))
		if !near(product, c.product, 1e-9) || rank != c.rank || !near(x.AtVec(0), c.x[0], 1e-9) || !near(x.AtVec(1), c.x[1], 1e-9) {
			t.Errorf("%s: %v of rank %d, x = %v", name, product, rank, mat.Formatted(x.T()))
		}
	}
}
