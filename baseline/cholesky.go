package baseline

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// solvePositive returns the solution x of Ax = b, where at gives the upper half
// of the positive definite matrix A. It reports whether A is that.
func solvePositive(at func(i, j int) float64, b []float64) (x []float64, ok bool) {
	n := len(b)
	if n == 0 {
		return nil, true
	}
	a := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, at(i, j))
		}
	}
	var c mat.Cholesky
	if !c.Factorize(a) {
		return nil, false
	}
	var to mat.VecDense
	var poor mat.Condition // said of a solution that is there, if less exact
	if err := c.SolveVecTo(&to, mat.NewVecDense(n, b)); err != nil && !errors.As(err, &poor) {
		return nil, false
	}
	return to.RawVector().Data, true
}
