package baseline

import (
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// factorize prepares to solve Ax = b for any b, where at gives the upper half of
// the positive definite matrix A of n rows. It reports whether A is that. The
// factor is that of [mat.Cholesky]; with it, conjugate gradients solve for one b
// after another, and there mat.Cholesky.SolveVecTo takes four times as long as
// the two triangular solves here, because it is made for many b at once.
func factorize(n int, at func(i, j int) float64) (solve func(b []float64) []float64, ok bool) {
	if n == 0 {
		return slices.Clone[[]float64], true
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
	upper := c.RawU().(mat.RawTriangular).RawTriangular()
	return func(b []float64) []float64 {
		x := blas64.Vector{N: n, Data: slices.Clone(b), Inc: 1}
		blas64.Trsv(blas.Trans, upper, x)
		blas64.Trsv(blas.NoTrans, upper, x)
		return x.Data
	}, true
}
