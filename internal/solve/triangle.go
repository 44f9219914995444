package solve

import "fsa/internal/gram"

// triangle is the Cholesky factor L of a small matrix, for solving with thousands of right-hand sides one
// after the other.
type triangle struct{ *gram.Cholesky }

// newTriangle returns the Cholesky factor of the matrix of n rows whose lower half is at(i, j). It
// returns false if the matrix is not positive definite.
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
