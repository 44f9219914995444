package solve

import (
	"context"
	"math"

	"fsa/internal/gram"
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
	return p.iterate(ctx, s, &memory, w.grad, func(s *Solution, step []float64, promised float64) (*Solution, []float64, error) {
		next, moved := w.search(s, step, promised)
		return next, moved, nil
	})
}

// iterate takes steps while they promise something. Grad is the gradient of the solution,
// which search brings to that of the next one.
func (p *Problem) iterate(ctx context.Context, s *Solution, memory *quasiNewton, grad []float64, search func(s *Solution, step []float64, promised float64) (next *Solution, moved []float64, err error)) (*Solution, error) {
	step := make([]float64, len(grad))
	for range solveSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		memory.direction(step, grad)
		promised := -dot(grad, step)
		if !(promised > max(p.Tolerance, solveTolerance*math.Abs(s.Objective))) {
			break
		}
		before := append([]float64(nil), grad...)
		next, moved, err := search(s, step, promised)
		if err != nil {
			return nil, err
		}
		if next == nil {
			if memory.forget() {
				continue
			}
			break
		}
		memory.learn(moved, before, grad)
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

// factor returns the Cholesky factor of the Hessian of the null model on some places of
// the Gram matrix. Collinear columns make it singular, and get a jitter.
func (p *Problem) factor(places []int) (*triangle, error) {
	if len(places) == 0 {
		return nil, nil
	}
	largest := 0.0
	for _, a := range places {
		largest = max(largest, p.hessian(a, a))
	}
	more := 0.0
	for jitter := 1e-12; jitter < 1; jitter *= 100 {
		more += jitter * largest
		t, ok := newTriangle(len(places), func(i, j int) float64 {
			v := p.hessian(places[i], places[j])
			if i == j {
				v += more
			}
			return v
		})
		if ok {
			return t, nil
		}
	}
	return nil, ErrSingular
}

// places returns those of some columns and of the intercept in the Gram matrix.
func (p *Problem) places(cols []int) []int {
	places := append(make([]int, 0, len(cols)+1), cols...)
	if p.Intercept {
		places = append(places, len(p.X))
	}
	return places
}

// hessian returns a number of the Hessian of the objective at the null model, by places.
func (p *Problem) hessian(a, b int) float64 {
	v := p.gram[a*(len(p.X)+1)+b]
	if a == b && a < len(p.X) {
		v += 2 * (p.Ridge + p.Penalty[a])
	}
	return v
}

// setGram finds the Hessian of the null model, in all columns, unless it is known.
func (p *Problem) setGram(ctx context.Context) (err error) {
	if p.gram != nil {
		return nil
	}
	p.null, p.nullWeight = p.nullCurvature()
	n := len(p.X)
	if p.There != nil {
		if p.gram, err = p.There.Products(p.null); err == nil {
			scale(p.gram, 1/p.nullWeight)
		}
		return err
	}
	p.gram = make([]float64, (n+1)*(n+1))
	if err := p.setAllProducts(ctx); err != nil {
		return err
	}
	p.setProduct(n, n, total(p.null)/p.nullWeight)
	return nil
}

// chunk is the number of rows whose products are added while the columns of a hundred variables stay in the cache.
const chunk = 512

// setAllProducts sets the products of all columns with each other and the intercept.
func (p *Problem) setAllProducts(ctx context.Context) error {
	n, rows := len(p.X), p.rows()
	products, sums := make([]float64, n*n), make([]float64, n)
	room, roots := make([]float64, n*chunk), make([]float64, chunk)
	for from := 0; from < rows; from += chunk {
		null := p.null[from:min(from+chunk, rows)]
		for i, d := range null {
			roots[i] = math.Sqrt(d)
		}
		padded := gram.Padded(len(null))
		for j, x := range p.X {
			x, to := x[from:from+len(null)], room[j*padded:(j+1)*padded]
			for i, r := range roots[:len(null)] {
				to[i] = x[i] * r
			}
			clear(to[len(null):])
			sums[j] += dot(x, null)
		}
		if err := gram.Add(ctx, 1, products, room[:n*padded], n); err != nil {
			return err
		}
	}
	for j := range n {
		for l := range j + 1 {
			p.setProduct(l, j, products[j*n+l]/p.nullWeight)
		}
		p.setProduct(j, n, sums[j]/p.nullWeight)
	}
	return nil
}

// setProducts sets the products of column j with all columns and the intercept.
func (p *Problem) setProducts(j int) {
	weighted := make([]float64, p.rows())
	for i, v := range p.X[j] {
		weighted[i] = v * p.null[i]
	}
	for l := range p.X {
		p.setProduct(l, j, dot(weighted, p.X[l])/p.nullWeight)
	}
	p.setProduct(j, len(p.X), total(weighted)/p.nullWeight)
}

func (p *Problem) setProduct(a, b int, v float64) {
	side := len(p.X) + 1
	p.gram[a*side+b], p.gram[b*side+a] = v, v
}

// replace puts other numbers into column j.
func (p *Problem) replace(j int, x []float64) {
	if p.X[j] = x; p.gram == nil {
		return
	}
	p.setProducts(j)
	if p.slopes != nil {
		p.slopes[j] = dot(x, p.residual) / p.nullWeight
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
	bound := make([]float64, n)
	weight = p.Loss.Curvature(bound, p.Target)
	if p.Quadratic {
		return bound, weight
	}
	up, down, moved := make([]float64, n), make([]float64, n), make([]float64, n)
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

// measure sets the losses of a solution whose margins are known and r to their
// derivatives, and returns the weight of all rows.
func (p *Problem) measure(r []float64, s *Solution, cols []int) (weight float64) {
	s.Loss, weight = p.Loss.Eval(r, s.Z, p.Target)
	s.Loss /= weight
	p.penalise(s, cols)
	return weight
}

// penalise sets the objective of a solution whose loss is known.
func (p *Problem) penalise(s *Solution, cols []int) {
	s.Objective = s.Loss
	for _, beta := range s.Beta {
		for j, col := range cols {
			s.Objective += (p.Ridge + p.Penalty[col]) * beta[j] * beta[j]
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
