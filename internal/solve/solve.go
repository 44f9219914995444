package solve

import "context"

// Solve finds the optimum on the given columns by L-BFGS (Liu and Nocedal 1989), which
// begins with the inverse of the Hessian at the null model; of a quadratic loss see
// [Problem.solveQuadratic], and with an adaptive ridge [Problem.solveAdaptive]. From is where to begin, on as many columns; nil means at zero.
func (p *Problem) Solve(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	s, err := p.Optimum(ctx, cols, from)
	if err == nil {
		p.Complete(s, cols)
	}
	return s, err
}

// Optimum is Solve, but leaves to [Problem.Complete] what the coefficients do not need.
func (p *Problem) Optimum(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	if p.Adaptive {
		return p.solveAdaptive(ctx, cols, from)
	}
	if err := p.setGram(ctx); err != nil {
		return nil, err
	}
	if p.Quadratic && p.There == nil {
		return p.solveQuadratic(cols)
	}
	factor, err := p.factor(p.places(cols))
	if err != nil {
		return nil, err
	}
	if p.There != nil {
		return p.solveThere(ctx, cols, from, factor)
	}
	w := newWork(p, cols)
	s := w.start(from)
	w.eval(s)
	memory := quasiNewton{factor: factor, outputs: w.outputs}
	if from != nil {
		memory.scale = w.flatter(s.Z)
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

// sharpenings is the number of steps, at most, by the gradient alone.
const sharpenings = 30

// sharpen takes more steps while the gradient becomes smaller. The objective is known
// to half the digits of the coefficients only, so that steps that have to lower it end early.
func (w *work) sharpen(s *Solution, memory *quasiNewton) *Solution {
	w.eval(s)
	grad, step := append([]float64(nil), w.grad...), make([]float64, len(w.grad))
	for range sharpenings {
		memory.direction(step, grad)
		next := w.moved(s, step, 1)
		if w.eval(next); !(dot(w.grad, w.grad) < dot(grad, grad)) {
			break
		}
		memory.learn(step, grad, w.grad)
		s = next
		copy(grad, w.grad)
	}
	return s
}
