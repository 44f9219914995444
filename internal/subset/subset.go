// Package subset learns a model on a few columns to its optimum: what selection has
// left. It holds these columns as numbers, so that Newton's method, the Gram matrix and
// exact swaps can be had, whatever the storage they came from and whatever the loss.
package subset

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"fsa/loss"
)

// Problem is the mean loss of z = b + Xβ plus Σ Penalty_j·β_j².
type Problem struct {
	X       [][]float64 // columns
	Penalty []float64   // λ of each column
	Loss    loss.Loss
	Target  loss.Target
	// Intercept says that there is one for each output. It is not penalised.
	Intercept bool
}

// Solution is the optimum on some columns.
type Solution struct {
	Beta      [][]float64 // by output, then column
	Intercept []float64   // by output
	Z         []float64   // margins, output after output
	Loss      float64     // mean, without the penalty
	Objective float64     // mean, with it
}

const (
	newtonSteps     = 100   // at most
	newtonTolerance = 1e-10 // share of the objective that a step has to promise
	halvings        = 40    // of a step, at most
	flattest        = 1e-3  // of the bound on the curvature, what a row is taken to have at least: a loss need not be convex
)

// ErrSingular says that the columns have no optimum that can be found.
var ErrSingular = errors.New("subset: the Hessian is not positive definite")

// outputs returns the number of margins of a row.
func (p *Problem) outputs() int { return p.Loss.Outputs() }

// rows returns the number of rows.
func (p *Problem) rows() int { return len(p.Target.Y) }

// Null returns the solution without any column.
func (p *Problem) Null(ctx context.Context) (*Solution, error) { return p.Solve(ctx, nil, nil) }

// Solve finds the optimum on the given columns, from a solution on as many columns
// where there is one.
func (p *Problem) Solve(ctx context.Context, cols []int, from *Solution) (*Solution, error) {
	s := p.start(cols, from)
	w := newWork(p, len(cols))
	value := w.eval(p, s, cols)
	for range newtonSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		promised, err := w.direction(p, s, cols)
		if err != nil {
			return nil, err
		}
		if !(promised > newtonTolerance*math.Max(math.Abs(value), 1e-300)) {
			break
		}
		next, better := w.search(p, s, cols, value, promised)
		if !better {
			break
		}
		s, value = next, next.Objective
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

// work is the room of a solver.
type work struct {
	n, k, outputs, free int
	r, up, down, d      []float64
	weight              float64
	grad                [][]float64 // by output, column, and last the intercept
	step                [][]float64
}

func newWork(p *Problem, k int) *work {
	n, outputs := p.rows(), p.outputs()
	w := &work{n: n, k: k, outputs: outputs, r: make([]float64, n*outputs), d: make([]float64, n*outputs)}
	if p.Intercept {
		w.free = 1
	}
	for range outputs {
		w.grad = append(w.grad, make([]float64, k+w.free))
		w.step = append(w.step, make([]float64, k+w.free))
	}
	return w
}

// eval sets the margins, losses and gradient of a solution, and returns its objective.
func (w *work) eval(p *Problem, s *Solution, cols []int) float64 {
	for c := range w.outputs {
		z := s.Z[c*w.n : (c+1)*w.n]
		for i := range z {
			z[i] = s.Intercept[c]
		}
		for j, col := range cols {
			axpy(z, s.Beta[c][j], p.X[col])
		}
	}
	sum, weight := p.Loss.Eval(w.r, s.Z, p.Target)
	w.weight = weight
	s.Loss = sum / weight
	s.Objective = s.Loss
	for c := range w.outputs {
		r := w.r[c*w.n : (c+1)*w.n]
		for j, col := range cols {
			b := s.Beta[c][j]
			w.grad[c][j] = dot(p.X[col], r)/weight + 2*p.Penalty[col]*b
			s.Objective += p.Penalty[col] * b * b
		}
		if w.free == 1 {
			w.grad[c][w.k] = total(r) / weight
		}
	}
	return s.Objective
}

// direction sets the Newton step of each output, −H⁻¹∇, and returns by how much the
// objective would fall along it to first order.
func (w *work) direction(p *Problem, s *Solution, cols []int) (float64, error) {
	w.curvature(p, s.Z)
	promised := 0.0
	size := w.k + w.free
	if size == 0 {
		return 0, nil
	}
	for c := range w.outputs {
		d := w.d[c*w.n : (c+1)*w.n]
		h := mat.NewSymDense(size, nil)
		weighted := make([]float64, w.n)
		largest := 0.0
		for j, col := range cols {
			for i, x := range p.X[col] {
				weighted[i] = x * d[i]
			}
			for l := 0; l <= j; l++ {
				v := dot(weighted, p.X[cols[l]]) / w.weight
				if l == j {
					v += 2 * p.Penalty[col]
					largest = math.Max(largest, v)
				}
				h.SetSym(l, j, v)
			}
			if w.free == 1 {
				h.SetSym(j, w.k, total(weighted)/w.weight)
			}
		}
		if w.free == 1 {
			v := total(d) / w.weight
			largest = math.Max(largest, v)
			h.SetSym(w.k, w.k, v)
		}
		if err := solve(h, largest, w.step[c], w.grad[c]); err != nil {
			return 0, err
		}
		for j, g := range w.grad[c] {
			promised -= g * w.step[c][j]
		}
	}
	return promised, nil
}

// solve sets x = −h⁻¹g. Collinear columns make h singular, and then get a jitter.
func solve(h *mat.SymDense, largest float64, x, g []float64) error {
	n := len(g)
	to, rhs := mat.NewVecDense(n, x), mat.NewVecDense(n, g)
	for jitter := 1e-12; jitter < 1; jitter *= 100 {
		for j := range n {
			h.SetSym(j, j, h.At(j, j)+jitter*largest)
		}
		var c mat.Cholesky
		if c.Factorize(h) {
			// A warning about the condition is expected of collinear columns.
			_ = c.SolveVecTo(to, rhs)
			to.ScaleVec(-1, to)
			return nil
		}
	}
	return ErrSingular
}

// curvature sets d to the second derivative of the loss of each row by each margin,
// times its weight: by central differences of the first where rows do not depend on each
// other, else to its bound.
func (w *work) curvature(p *Problem, z []float64) {
	bound := make([]float64, w.n)
	p.Loss.Curvature(bound, p.Target)
	if w.outputs > 1 || p.Target.Query != nil || p.Target.Pairs != nil {
		for c := range w.outputs {
			copy(w.d[c*w.n:(c+1)*w.n], bound)
		}
		return
	}
	const h = 1e-4
	if w.up == nil {
		w.up, w.down = make([]float64, w.n), make([]float64, w.n)
	}
	moved := make([]float64, w.n)
	for i, v := range z {
		moved[i] = v + h
	}
	p.Loss.Eval(w.up, moved, p.Target)
	for i, v := range z {
		moved[i] = v - h
	}
	p.Loss.Eval(w.down, moved, p.Target)
	for i := range w.d {
		w.d[i] = min(max((w.up[i]-w.down[i])/(2*h), flattest*bound[i]), bound[i])
	}
}

// search goes along the step, half as far while that does not help.
func (w *work) search(p *Problem, s *Solution, cols []int, value, promised float64) (*Solution, bool) {
	grad := make([][]float64, w.outputs)
	for c := range grad {
		grad[c] = append([]float64(nil), w.grad[c]...)
	}
	for n, t := 0, 1.0; n < halvings; n, t = n+1, t/2 {
		next := &Solution{Beta: make([][]float64, w.outputs), Intercept: make([]float64, w.outputs), Z: make([]float64, len(s.Z))}
		for c := range w.outputs {
			next.Beta[c] = make([]float64, w.k)
			for j := range w.k {
				next.Beta[c][j] = s.Beta[c][j] + t*w.step[c][j]
			}
			next.Intercept[c] = s.Intercept[c]
			if w.free == 1 {
				next.Intercept[c] += t * w.step[c][w.k]
			}
		}
		if v := w.eval(p, next, cols); v <= value-1e-4*t*promised {
			return next, true
		}
	}
	for c := range grad {
		copy(w.grad[c], grad[c])
	}
	return s, false
}

func axpy(z []float64, b float64, x []float64) {
	if b == 0 {
		return
	}
	z = z[:len(x)]
	for i, v := range x {
		z[i] += b * v
	}
}

// dot adds up in four lanes, which a processor can do at once.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

func total(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum
}
