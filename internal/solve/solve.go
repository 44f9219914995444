package solve

import (
	"context"

	"fsa/internal/kernel"
)

// Solve finds the optimum on the given columns by L-BFGS (Liu and Nocedal 1989), which
// begins with the inverse of the Hessian at the null model; of a quadratic loss see
// [Problem.solveQuadratic], and with an adaptive ridge [Problem.solveAdaptive]. From is where to begin, on as many columns; nil means at zero.
func (p *Problem) Solve(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	if err := p.setGram(ctx); err != nil {
		return nil, err
	}
	if p.Adaptive {
		return p.solveAdaptive(ctx, cols, from)
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
	s := p.start(cols, from)
	w.eval(s)
	memory := quasiNewton{factor: factor, outputs: w.outputs}
	if from != nil {
		memory.scale = p.flatter(s.Z)
	}
	s, err = p.iterate(ctx, s, &memory, w.grad, func(s *Solution, step []float64, promised float64) (*Solution, []float64, error) {
		next, moved := w.search(s, step, promised)
		return next, moved, nil
	})
	if err != nil || p.Tolerance > 0 {
		return s, err
	}
	return w.sharpen(s, &memory), nil
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
		next := &Solution{Beta: make([][]float64, w.outputs), Intercept: append([]float64(nil), s.Intercept...), Z: make([]float64, len(s.Z))}
		for c := range w.outputs {
			d := w.of(step, c)
			next.Beta[c] = append([]float64(nil), s.Beta[c]...)
			axpy(next.Beta[c], 1, d[:w.k])
			if w.free == 1 {
				next.Intercept[c] += d[w.k]
			}
		}
		if w.eval(next); !(dot(w.grad, w.grad) < dot(grad, grad)) {
			break
		}
		memory.learn(step, grad, w.grad)
		s = next
		copy(grad, w.grad)
	}
	return s
}

// work is the room of a solver. Coefficients lie output after output, the columns of
// each and then its intercept.
type work struct {
	p                   *Problem
	cols                []int
	x                   []float64 // these columns, one after the other
	n, k, outputs, free int
	r, grad             []float64
	weight              float64
}

// newWork returns room that is taken until the next one is asked for.
func newWork(p *Problem, cols []int) *work {
	w := &work{p: p, cols: cols, n: p.rows(), k: len(cols), outputs: p.outputs()}
	if p.Intercept {
		w.free = 1
	}
	w.x = p.room[:0]
	for _, col := range cols {
		w.x = append(w.x, p.X[col]...)
	}
	p.room = w.x
	w.r = make([]float64, w.n*w.outputs)
	w.grad = make([]float64, w.outputs*(w.k+w.free))
	return w
}

// of returns the part of a vector that belongs to an output.
func (w *work) of(v []float64, c int) []float64 {
	width := w.k + w.free
	return v[c*width : (c+1)*width]
}

// eval sets the margins, losses and gradient of a solution.
func (w *work) eval(s *Solution) {
	for c := range w.outputs {
		z := s.Z[c*w.n : (c+1)*w.n]
		for i := range z {
			z[i] = s.Intercept[c]
		}
		kernel.MulTFloat64(z, w.x, s.Beta[c])
	}
	w.finish(s)
	w.slope(s)
}

// finish sets the losses of a solution whose margins are known.
func (w *work) finish(s *Solution) { w.weight = w.p.measure(w.r, s, w.cols) }

// slope sets the gradient of the solution that was last finished.
func (w *work) slope(s *Solution) {
	for c := range w.outputs {
		r, grad := w.r[c*w.n:(c+1)*w.n], w.of(w.grad, c)
		kernel.MulFloat64(grad[:w.k], w.x, r)
		for j, col := range w.cols {
			grad[j] = grad[j]/w.weight + 2*(w.p.Ridge+w.p.Penalty[col])*s.Beta[c][j]
		}
		if w.free == 1 {
			grad[w.k] = total(r) / w.weight
		}
	}
}

// search goes along a step, half as far while that does not keep enough of what the
// step promises. Columns are read twice, however often it is halved. It returns nil
// where nothing does, and else also how far it went.
func (w *work) search(s *Solution, step []float64, promised float64) (*Solution, []float64) {
	along := make([]float64, len(s.Z)) // the step in margins
	for c := range w.outputs {
		to, d := along[c*w.n:(c+1)*w.n], w.of(step, c)
		if w.free == 1 {
			for i := range to {
				to[i] = d[w.k]
			}
		}
		kernel.MulTFloat64(to, w.x, d[:w.k])
	}
	next := &Solution{Beta: make([][]float64, w.outputs), Intercept: make([]float64, w.outputs), Z: make([]float64, len(s.Z))}
	for c := range next.Beta {
		next.Beta[c] = make([]float64, w.k)
	}
	for n, t := 0, 1.0; n < halvings; n, t = n+1, t/2 {
		for c := range w.outputs {
			d := w.of(step, c)
			for j := range w.k {
				next.Beta[c][j] = s.Beta[c][j] + t*d[j]
			}
			next.Intercept[c] = s.Intercept[c]
			if w.free == 1 {
				next.Intercept[c] += t * d[w.k]
			}
		}
		for i := range next.Z {
			next.Z[i] = s.Z[i] + t*along[i]
		}
		if w.finish(next); next.Objective <= s.Objective-sufficient*t*promised {
			w.slope(next)
			moved := append([]float64(nil), step...)
			scale(moved, t)
			return next, moved
		}
	}
	return nil, nil
}
