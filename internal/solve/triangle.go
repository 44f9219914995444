package solve

import "fsa/internal/gram"

// triangle is a Cholesky factor L: one right-hand side at a time is solved for, thousands
// of times, on few columns.
type triangle struct{ *gram.Cholesky }

// newTriangle factors a matrix of n rows whose lower half at gives. It reports false if
// that is not positive definite.
func newTriangle(n int, at func(i, j int) float64) (*triangle, bool) {
	c, ok := gram.Factorize(n, at)
	return &triangle{c}, ok
}

// solve sets v = (LLᵀ)⁻¹v.
func (t *triangle) solve(v []float64) {
	for i := range v {
		l := t.Row(i)
		v[i] = (v[i] - dot(l[:i], v[:i])) / l[i]
	}
	for i := len(v) - 1; i >= 0; i-- {
		l := t.Row(i)
		v[i] /= l[i]
		axpy(v[:i], -v[i], l[:i])
	}
}
