package subset

import "gonum.org/v1/gonum/mat"

// triangle is a Cholesky factor L, row after row: one right-hand side at a time is solved
// for, thousands of times, on few columns.
type triangle struct {
	n    int
	rows []float64 // row i begins at i(i+1)/2
}

func newTriangle(c *mat.Cholesky) *triangle {
	var l mat.TriDense
	c.LTo(&l)
	n, _ := l.Dims()
	t := &triangle{n: n, rows: make([]float64, 0, n*(n+1)/2)}
	for i := range n {
		for j := range i + 1 {
			t.rows = append(t.rows, l.At(i, j))
		}
	}
	return t
}

func (t *triangle) row(i int) []float64 { return t.rows[i*(i+1)/2:][:i+1] }

// solve sets v = (LLᵀ)⁻¹v.
func (t *triangle) solve(v []float64) {
	for i := range t.n {
		l := t.row(i)
		v[i] = (v[i] - dot(l[:i], v[:i])) / l[i]
	}
	for i := t.n - 1; i >= 0; i-- {
		l := t.row(i)
		v[i] /= l[i]
		axpy(v[:i], -v[i], l[:i])
	}
}
