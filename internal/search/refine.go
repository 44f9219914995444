package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/internal/objective"
	"fsa/internal/tuning"
)

// refine moves the coefficients of what was chosen to where the objective is
// least. A step of annealing is as long as the steepest direction bears, so that
// it ends short of that where variables are correlated. By now there are few
// coefficients: the bound H on their Hessian is a small matrix, and the step
// H⁻¹∇ is right in all directions and not too long, since H holds
// everywhere, as far as the rows it is measured on speak for all of them: a step that
// does not help is not taken. Nesterov's momentum makes up for what the bound is too large by.
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
	least, nesterov := math.Inf(1), 1.0 // t of Nesterov's sequence: 1 is no momentum
	for range tuning.RefineSteps {
		sum, weight, err := on.Eval(ctx, 0, grad.RawVector().Data, at.RawVector().Data)
		if err != nil {
			return err
		}
		if !(sum/weight < least) { // momentum went too far, or nothing is left to gain
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
		if h.SolveVecTo(step, grad) != nil || mat.Dot(grad, step) <= tuning.RefineTolerance*math.Abs(least) {
			break
		}
		next.SubVec(at, step)
		move.SubVec(next, last)
		if mat.Dot(grad, move) > 0 { // it points uphill
			nesterov = 1
		}
		following := (1 + math.Sqrt(1+4*nesterov*nesterov)) / 2
		at.AddScaledVec(next, (nesterov-1)/following, move)
		last.CopyVec(next)
		nesterov = following
	}
	return nil
}
