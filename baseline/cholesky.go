package baseline

import "fsa/internal/gram"

// factorize prepares to solve Ax = b for any b. at returns the lower half of the positive definite
// matrix A of n rows. ok is false if A is not positive definite.
func factorize(n int, at func(i, j int) float64) (solve func(b []float64) []float64, ok bool) {
	l, ok := gram.Factorize(n, at)
	if !ok {
		return nil, false
	}
	return l.Solve, true
}
