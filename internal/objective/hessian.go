package objective

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// Hessian returns the bound on the Hessian of the mean objective, factorised. It
// reports false if it is not positive definite. It is found by multiplying unit
// vectors, so nothing has to be known of storage or loss.
func (ob *Objective) Hessian(ctx context.Context) (*mat.Cholesky, bool, error) {
	n := ob.layout.Len()
	h := mat.NewSymDense(n, nil)
	column, unit := make([]float64, n), make([]float64, n)
	largest := 0.0
	for j := range n {
		unit[j] = 1
		weight, err := ob.Curvature(ctx, 0, column, unit)
		if err != nil {
			return nil, false, err
		}
		unit[j] = 0
		for i := range j + 1 {
			h.SetSym(i, j, column[i]/weight)
		}
		largest = max(largest, column[j]/weight)
	}
	const jitter = 1e-9 // of the largest: columns may say the same
	for j := range n {
		h.SetSym(j, j, h.At(j, j)+jitter*largest)
	}
	var c mat.Cholesky
	ok := c.Factorize(h)
	return &c, ok, nil
}
