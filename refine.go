package fsa

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	refineRows  = 10      // a coefficient, at least; with fewer the least loss is not the best model, unless they are shrunk
	refineCells = 1 << 25 // that may be read to find the curvature, or as many as the table has
	refineSteps = 50      // at most,
	refined     = 1e-9    // while one promises more than this share of the objective
)

// refines reports whether what is chosen is to be refined if it has not settled:
// so many coefficients, whose curvature can be had at little cost.
func (s *search) refines(coefficients int) bool {
	rows, n := float64(s.data.Rows()), float64(coefficients)
	return (rows >= refineRows*n || s.Shrink > 0) && rows*n*n <= float64(max(s.cells, refineCells))
}

// refine moves the coefficients of what was chosen to where the objective is
// least. A step of annealing is as long as the steepest direction bears, so that
// it ends short of that where variables are correlated. By now there are few
// coefficients: the bound H on their curvature is a small matrix, and the step
// H⁻¹∇ is right in all directions and not too long, since H bounds the Hessian
// everywhere, as far as the rows it is measured on speak for all of them: a step that
// does not help is not taken. Nesterov's momentum makes up for what the bound is too large by.
func (f *fitted) refine(ctx context.Context) error {
	n := len(f.res.Beta)
	h, ok, err := f.ob.hessian(ctx, n)
	if err != nil || !ok {
		return err
	}
	f.curved = h
	vector := func() *mat.VecDense { return mat.NewVecDense(n, nil) }
	at, last, next, grad, step, move := vector(), vector(), vector(), vector(), vector(), vector()
	copy(at.RawVector().Data, f.res.Beta)
	last.CopyVec(at)
	least, pace := math.Inf(1), 1.0
	for range refineSteps {
		sum, weight, err := f.ob.Eval(ctx, 0, grad.RawVector().Data, at.RawVector().Data)
		if err != nil {
			return err
		}
		if !(sum/weight < least) { // momentum went too far, or nothing is left to gain
			if pace == 1 {
				break
			}
			at.CopyVec(last)
			pace = 1
			continue
		}
		least = sum / weight
		copy(f.res.Beta, at.RawVector().Data)
		grad.ScaleVec(1/weight, grad)
		if h.SolveVecTo(step, grad) != nil || mat.Dot(grad, step) <= refined*math.Abs(least) {
			break
		}
		next.SubVec(at, step)
		move.SubVec(next, last)
		if mat.Dot(grad, move) > 0 { // it points uphill
			pace = 1
		}
		faster := (1 + math.Sqrt(1+4*pace*pace)) / 2
		at.AddScaledVec(next, (pace-1)/faster, move)
		last.CopyVec(next)
		pace = faster
	}
	return nil
}

// hessian returns the bound on the curvature of the mean objective, factorised. It
// reports false if it is not the curvature of anything.
func (ob *objective) hessian(ctx context.Context, n int) (*mat.Cholesky, bool, error) {
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
	for j := range n { // columns may say the same
		h.SetSym(j, j, h.At(j, j)+1e-9*largest)
	}
	var c mat.Cholesky
	ok := c.Factorize(h)
	return &c, ok, nil
}
