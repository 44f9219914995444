package objective

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
)

// Refinable is an objective that what was chosen can be refined on, where its numbers are.
type Refinable interface {
	anneal.Objective
	// Hessian returns the bound on the Hessian of the mean objective over all rows, factorised.
	// It reports false if it is not positive definite.
	Hessian(ctx context.Context) (*mat.Cholesky, bool, error)
}

var _ Refinable = (*Objective)(nil)

const jitter = 1e-9 // of the largest number of the diagonal of a Hessian: columns may say the same

// Hessian implements [Refinable].
func (ob *Objective) Hessian(ctx context.Context) (*mat.Cholesky, bool, error) {
	return Hessian(ctx, ob, jitter)
}

// Hessian returns the bound on the Hessian of the mean of an objective of one batch, factorised, with as little
// added to its diagonal as it takes, at most a share of the largest number there. It reports false if
// that is not enough. It is found by multiplying unit vectors, so nothing has to be known of storage or loss.
func Hessian(ctx context.Context, ob anneal.Curved, most float64) (*mat.Cholesky, bool, error) {
	n := ob.Layout().Len()
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
	var c mat.Cholesky
	ok := false
	for more := jitter; !ok && more <= most; more *= 100 {
		for j := range n {
			h.SetSym(j, j, h.At(j, j)+more*largest)
		}
		ok = c.Factorize(h)
	}
	return &c, ok, nil
}
