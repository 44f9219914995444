package subset

import (
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// triangle is a Cholesky factor L, row after row: one right-hand side at a time is solved
// for, thousands of times, on few columns.
type triangle struct {
	n    int
	rows []float64 // row i begins at i(i+1)/2
}

// newTriangle factors a matrix. It reports false if that is not positive definite. Its
// condition, which [mat.Cholesky] would estimate at a higher cost, is not asked for.
func newTriangle(h *mat.SymDense) (*triangle, bool) {
	n := h.SymmetricDim()
	to := mat.NewSymDense(n, nil)
	to.CopySym(h)
	u, ok := lapack64.Potrf(to.RawSymmetric())
	if !ok {
		return nil, false
	}
	t := &triangle{n: n, rows: make([]float64, 0, n*(n+1)/2)}
	for i := range n {
		for j := range i + 1 {
			t.rows = append(t.rows, u.Data[j*u.Stride+i]) // L = Uᵀ
		}
	}
	return t, true
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
