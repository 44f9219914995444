package subset

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/internal/kernel"
)

const (
	solveSteps     = 300   // at most
	solveTolerance = 1e-15 // share of the objective that a step has to promise, at least
	solveMemory    = 10    // steps that the quasi-Newton method remembers
	halvings       = 40    // of a step, at most
	sufficient     = 1e-4  // share of what a step promises that it has to keep (Armijo)
	flattest       = 1e-3  // of the bound on the curvature, what a row is taken to have at least: a loss need not be convex
	differenceOfZ  = 1e-4  // by which margins are moved to measure curvature
)

// Solve finds the optimum on the given columns by L-BFGS (Liu and Nocedal 1989), which
// begins with the inverse of the Hessian at the null model: for a quadratic loss the
// first step is the last. From is where to begin, on as many columns; nil means at zero.
func (p *Problem) Solve(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	factor, err := p.factor(cols)
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
	step := make([]float64, len(w.grad))
	for range solveSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		memory.direction(step, w.grad)
		promised := -dot(w.grad, step)
		if !(promised > max(p.Tolerance, solveTolerance*math.Abs(s.Objective))) {
			break
		}
		before := append([]float64(nil), w.grad...)
		next, moved := w.search(s, step, promised)
		if next == nil {
			if memory.forget() {
				continue
			}
			break
		}
		memory.learn(moved, before, w.grad)
		s = next
	}
	return s, nil
}

// start returns the solution that iterations begin with.
func (p *Problem) start(cols []int, from *Solution) *Solution {
	outputs := p.outputs()
	s := &Solution{Beta: make([][]float64, outputs), Intercept: make([]float64, outputs), Z: make([]float64, outputs*p.rows())}
	for c := range s.Beta {
		s.Beta[c] = make([]float64, len(cols))
		if from != nil && len(from.Beta[c]) == len(cols) {
			copy(s.Beta[c], from.Beta[c])
			s.Intercept[c] = from.Intercept[c]
		}
	}
	return s
}

// factor returns the Cholesky factor of the Hessian of the null model on some columns.
// Collinear ones make it singular, and get a jitter.
func (p *Problem) factor(cols []int) (*triangle, error) {
	if err := p.setGram(); err != nil {
		return nil, err
	}
	places := append([]int(nil), cols...)
	if p.Intercept {
		places = append(places, len(p.X))
	}
	n := len(places)
	if n == 0 {
		return nil, nil
	}
	h := mat.NewSymDense(n, nil)
	largest := 0.0
	for i, a := range places {
		for j := 0; j <= i; j++ {
			h.SetSym(j, i, p.gram.At(places[j], a))
		}
		if a < len(p.X) {
			h.SetSym(i, i, h.At(i, i)+2*(p.Ridge+p.Penalty[a]))
		}
		largest = max(largest, h.At(i, i))
	}
	for jitter := 1e-12; jitter < 1; jitter *= 100 {
		for j := range n {
			h.SetSym(j, j, h.At(j, j)+jitter*largest)
		}
		if t, ok := newTriangle(h); ok {
			return t, nil
		}
	}
	return nil, ErrSingular
}

// setGram finds the Hessian of the null model, in all columns, unless it is known.
func (p *Problem) setGram() error {
	if p.gram != nil {
		return nil
	}
	p.null, p.nullWeight = p.nullCurvature()
	n := len(p.X)
	if p.There != nil {
		sums, err := p.There.Products(p.null)
		if err != nil {
			return err
		}
		scale(sums, 1/p.nullWeight)
		p.gram = mat.NewSymDense(n+1, sums)
		return nil
	}
	p.gram = mat.NewSymDense(n+1, nil)
	for j := range p.X {
		p.setProducts(j, j+1)
	}
	p.gram.SetSym(n, n, total(p.null)/p.nullWeight)
	return nil
}

// setProducts sets the products of column j with the first ones and the intercept.
func (p *Problem) setProducts(j, first int) {
	weighted := make([]float64, p.rows())
	for i, v := range p.X[j] {
		weighted[i] = v * p.null[i]
	}
	for l := range first {
		p.gram.SetSym(l, j, dot(weighted, p.X[l])/p.nullWeight)
	}
	p.gram.SetSym(j, len(p.X), total(weighted)/p.nullWeight)
}

// replace puts other numbers into column j.
func (p *Problem) replace(j int, x []float64) {
	if p.X[j] = x; p.gram != nil {
		p.setProducts(j, len(p.X))
	}
}

// nullCurvature returns the second derivative of each row's loss where all margins are
// zero, times its weight, and the weight of all rows. Of losses of several outputs, and
// where rows depend on each other, it is half the bound.
func (p *Problem) nullCurvature() (d []float64, weight float64) {
	n := p.rows()
	if !p.dependent() {
		return p.curvature(make([]float64, n))
	}
	d = make([]float64, n)
	weight = p.Loss.Curvature(d, p.Target)
	scale(d, 0.5)
	return d, weight
}

// flatter returns how many times as flat rows are in the mean at some margins as at the
// null model; 0 where that is not known.
func (p *Problem) flatter(z []float64) float64 {
	if p.dependent() {
		return 0
	}
	d, _ := p.curvature(z)
	return total(p.null) / total(d)
}

// dependent reports whether the loss of a row is not a matter of one margin.
func (p *Problem) dependent() bool {
	return p.outputs() > 1 || p.Target.Query != nil || p.Target.Pairs != nil
}

// curvature returns the second derivative of each row's loss at some margins, times its
// weight, by central differences of the first, and the weight of all rows.
func (p *Problem) curvature(z []float64) (d []float64, weight float64) {
	n := p.rows()
	bound, up, down, moved := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	weight = p.Loss.Curvature(bound, p.Target)
	for i, v := range z {
		moved[i] = v + differenceOfZ
	}
	p.Loss.Eval(up, moved, p.Target)
	for i, v := range z {
		moved[i] = v - differenceOfZ
	}
	p.Loss.Eval(down, moved, p.Target)
	for i := range bound {
		bound[i] = min(max((up[i]-down[i])/(2*differenceOfZ), flattest*bound[i]), bound[i])
	}
	return bound, weight
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

func newWork(p *Problem, cols []int) *work {
	w := &work{p: p, cols: cols, n: p.rows(), k: len(cols), outputs: p.outputs()}
	if p.Intercept {
		w.free = 1
	}
	w.x = make([]float64, 0, w.k*w.n)
	for _, col := range cols {
		w.x = append(w.x, p.X[col]...)
	}
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
func (w *work) finish(s *Solution) {
	s.Loss, w.weight = w.p.Loss.Eval(w.r, s.Z, w.p.Target)
	s.Loss /= w.weight
	s.Objective = s.Loss
	for c := range w.outputs {
		for j, col := range w.cols {
			b := s.Beta[c][j]
			s.Objective += (w.p.Ridge + w.p.Penalty[col]) * b * b
		}
	}
}

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
