package baseline

import "fsa/internal/gram"

// factorize prepares to solve Ax = b for any b, where at gives the lower half of
// the positive definite matrix A of n rows. It reports whether A is that.
func factorize(n int, at func(i, j int) float64) (solve func(b []float64) []float64, ok bool) {
	l, ok := gram.Factorize(n, at)
	if !ok {
		return nil, false
	}
	return l.Solve, true
}
