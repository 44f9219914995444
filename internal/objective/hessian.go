package objective

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"fsa/anneal"
)

// Refinable is an objective with a factorised Hessian bound, on which selected coefficients can be
// refined. The computation runs where its data are.
type Refinable interface {
	anneal.Objective
	// Hessian returns the Cholesky factor of the Hessian bound of the mean objective over all rows. It
	// returns false if the bound is not positive definite.
	Hessian(ctx context.Context) (*mat.Cholesky, bool, error)
}

var _ Refinable = (*Objective)(nil)

const jitter = 1e-9 // maximum addition to the diagonal of a Hessian of collinear columns, as a share of the largest element

// Hessian implements [Refinable].
func (ob *Objective) Hessian(ctx context.Context) (*mat.Cholesky, bool, error) {
	return Hessian(ctx, ob, jitter)
}

// Hessian returns the Cholesky factor of the Hessian bound of the mean of an objective of one batch. If the bound is
// singular, a small number is added to its diagonal, up to the share most of the largest element. Hessian returns false
// if that is not enough. It multiplies unit vectors, so it depends neither on the storage nor on the loss.
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
