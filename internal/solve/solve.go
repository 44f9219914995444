package solve

import "context"

// Solve finds the optimum on the given columns by L-BFGS (Liu and Nocedal 1989). The initial approximation of the
// inverse Hessian is the one at the null model. For a quadratic loss see [Problem.solveQuadratic], and for an adaptive
// ridge [Problem.solveAdaptive], and for constraints [Problem.solveConstrained]. The iterations start from the solution from on the same number of columns, or from zero
// if it is nil.
func (p *Problem) Solve(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	s, err := p.Optimum(ctx, cols, from)
	if err == nil {
		p.Complete(s, cols)
	}
	return s, err
}

// Optimum is Solve without the margins and losses if they are not needed to find the coefficients; [Problem.Complete]
// computes them later.
func (p *Problem) Optimum(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	if p.Adaptive {
		return p.solveAdaptive(ctx, cols, from)
	}
	if err := p.setGram(ctx); err != nil {
		return nil, err
	}
	if constraints := onto(p.Constraints, cols); len(constraints) > 0 {
		return p.solveConstrained(ctx, cols, from, constraints)
	}
	if p.Quadratic && p.Device == nil {
		return p.solveQuadratic(cols)
	}
	factor, err := p.factor(p.places(cols))
	if err != nil {
		return nil, err
	}
	if p.Device != nil {
		return p.solveOnDevice(ctx, cols, from, factor)
	}
	w := newEvaluator(p, cols)
	s := w.start(from)
	w.eval(s)
	memory := quasiNewton{factor: factor, outputs: w.outputs}
	if from != nil {
		memory.scale = w.scaleOfInverse(s.Z)
	}
	s, err = p.iterate(ctx, s, &memory, w.grad, func(s *Solution, step []float64, promised float64) (*Solution, []float64, error) {
		next, moved := w.search(s, step, promised)
		return next, moved, nil
	})
	if err != nil {
		return nil, err
	}
	if p.Tolerance == 0 {
		s = w.sharpen(s, &memory)
	}
	p.spread(s, cols)
	return s, nil
}

// sharpenings is the maximum number of steps that are judged by the gradient alone.
const sharpenings = 30

// sharpen takes further steps while the norm of the gradient decreases. Near the optimum the objective is flat, so
// its rounding error ends the line search when only half of the digits of the coefficients are right.
func (w *evaluator) sharpen(s *Solution, memory *quasiNewton) *Solution {
	w.eval(s)
	grad, step := append([]float64(nil), w.grad...), make([]float64, len(w.grad))
	for range sharpenings {
		memory.direction(step, grad)
		next := w.moved(s, step, 1)
		if w.eval(next); !(dot(w.grad, w.grad) < dot(grad, grad)) {
			break
		}
		memory.update(step, grad, w.grad)
		s = next
		copy(grad, w.grad)
	}
	return s
}
