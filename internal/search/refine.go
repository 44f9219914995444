package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/internal/objective"
)

const (
	refineSteps     = 50   // largest number of steps
	refineTolerance = 1e-9 // smallest predicted decrease of a step, as a share of the objective
)

// refine moves the coefficients of the selected groups to the minimum of the objective. Gradient steps
// have the length that the steepest direction allows, so annealing does not reach the minimum if
// variables are correlated. Few coefficients are left now, so the Hessian bound H is a small matrix,
// and the step H⁻¹∇ has the right length in all directions. It is not too long, because H bounds the
// Hessian everywhere; but H may be measured on a sample of rows, so a step that raises the objective
// is undone. Nesterov's momentum makes up for a bound that is too large.
func (f *Fit) refine(ctx context.Context, on objective.Refinable) error {
	n := len(f.res.Beta)
	h, ok, err := on.Hessian(ctx)
	if err != nil || !ok {
		return err
	}
	f.hessian = h
	vector := func() *mat.VecDense { return mat.NewVecDense(n, nil) }
	at, last, next, grad, step, move := vector(), vector(), vector(), vector(), vector(), vector()
	copy(at.RawVector().Data, f.res.Beta)
	last.CopyVec(at)
	least, nesterov := math.Inf(1), 1.0 // t of Nesterov's sequence; 1 means no momentum
	for range refineSteps {
		sum, weight, err := on.Eval(ctx, 0, grad.RawVector().Data, at.RawVector().Data)
		if err != nil {
			return err
		}
		if !(sum/weight < least) { // the momentum is too large, or this is the minimum
			if nesterov == 1 {
				break
			}
			at.CopyVec(last)
			nesterov = 1
			continue
		}
		least = sum / weight
		copy(f.res.Beta, at.RawVector().Data)
		grad.ScaleVec(1/weight, grad)
		if h.SolveVecTo(step, grad) != nil || mat.Dot(grad, step) <= refineTolerance*math.Abs(least) {
			break
		}
		next.SubVec(at, step)
		move.SubVec(next, last)
		if mat.Dot(grad, move) > 0 { // the momentum points uphill
			nesterov = 1
		}
		following := (1 + math.Sqrt(1+4*nesterov*nesterov)) / 2
		at.AddScaledVec(next, (nesterov-1)/following, move)
		last.CopyVec(next)
		nesterov = following
	}
	return nil
}
