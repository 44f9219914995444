package solve

import (
	"context"
	"slices"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
	"fsa/loss"
)

// evaluator computes the objective and its gradient on some columns. It copies the columns in blocks of
// rows, small enough to stay in the CPU cache between the margins and the gradient. Coefficients are
// stored output after output: those of the columns, then the intercept.
type evaluator struct {
	p                   *Problem
	cols                []int
	blocks              []block
	n, k, outputs, free int
	grad                []float64
	weight              float64   // total weight of the rows
	scratch             []scratch // by thread
	along               []float64 // a step in margins
	spare               []float64 // room for the margins of the next solution; nil if they have to be allocated
}

// scratch is the working memory of a thread for one block: margins and derivatives, output after output.
type scratch struct{ z, r []float64 }

// block holds some rows of the columns, one column after the other, and their contribution to the loss,
// the weight and the gradient.
type block struct {
	lo, hi       int
	x            []float64
	target       loss.Target
	loss, weight float64
	grad         []float64
}

// fewBlocks is the minimum number of blocks per thread.
const fewBlocks = 16

// newEvaluator returns an evaluator, which is valid until the next call. If the columns have not changed
// since the last call, it returns the same evaluator.
func newEvaluator(p *Problem, cols []int) *evaluator {
	if p.cache == nil {
		p.cache = p.newCache()
	}
	if w := p.cache.evaluator(p, cols); w != nil {
		return w
	}
	w := &evaluator{p: p, cols: slices.Clone(cols), n: len(p.cache.target.Y), k: len(cols), outputs: p.outputs()}
	if p.Intercept {
		w.free = 1
	}
	old, buffer := p.cache.turn(w.k * w.n)
	rows := chunk
	if p.Target.Query != nil || p.Target.Pairs != nil { // queries and pairs must not be split
		rows = max(w.n, 1)
	}
	for lo := 0; lo < w.n; lo += rows {
		b := block{lo: lo, hi: min(lo+rows, w.n), target: p.cache.target}
		size := b.hi - lo
		b.x, buffer = buffer[:w.k*size], buffer[w.k*size:]
		b.target.Y = b.target.Y[lo:b.hi]
		if b.target.Weight != nil {
			b.target.Weight = b.target.Weight[lo:b.hi]
		}
		if b.target.Offset != nil {
			b.target.Offset = b.target.Offset[lo:b.hi]
		}
		w.blocks = append(w.blocks, b)
	}
	size := w.outputs * min(rows, w.n)
	for range max(1, min(p.Threads, len(w.blocks)/fewBlocks)) {
		w.scratch = append(w.scratch, scratch{make([]float64, size), make([]float64, size)})
	}
	w.grad = make([]float64, w.outputs*(w.k+w.free))
	for i := range w.blocks {
		w.blocks[i].grad = make([]float64, len(w.grad))
	}
	before := make(map[*float64]int, len(p.cache.columns))
	for j, at := range p.cache.columns {
		before[at] = j
	}
	p.cache.last, p.cache.columns = w, p.cache.columns[:0]
	for j, col := range cols {
		at := first(p.X[col])
		if from, has := before[at]; has {
			w.take(j, old, from)
		} else {
			w.fetch(j, p.X[col])
		}
		p.cache.columns = append(p.cache.columns, at)
	}
	return w
}

// take copies the j-th column from another evaluator of the same rows.
func (w *evaluator) take(j int, old *evaluator, from int) {
	for i := range w.blocks {
		b := &w.blocks[i]
		size := b.hi - b.lo
		copy(b.x[j*size:(j+1)*size], old.blocks[i].x[from*size:])
	}
}

// fetch sets the j-th column.
func (w *evaluator) fetch(j int, column []float64) {
	for i := range w.blocks {
		b := &w.blocks[i]
		size := b.hi - b.lo
		w.p.cache.pick(b.x[j*size:(j+1)*size], column, b.lo)
	}
}

// of returns the part of a coefficient vector for output c.
func (w *evaluator) of(v []float64, c int) []float64 {
	width := w.k + w.free
	return v[c*width : (c+1)*width]
}

// moved returns a solution with the coefficients s + t·step. Its margins are allocated but not set.
func (w *evaluator) moved(s *Solution, step []float64, t float64) *Solution {
	to := &Solution{Beta: make([][]float64, w.outputs), Intercept: make([]float64, w.outputs), Z: w.spare}
	if w.spare = nil; to.Z == nil {
		to.Z = make([]float64, len(s.Z))
	}
	for c := range to.Beta {
		d := w.of(step, c)
		to.Beta[c] = append([]float64(nil), s.Beta[c]...)
		axpy(to.Beta[c], t, d[:w.k])
		to.Intercept[c] = s.Intercept[c]
		if w.free == 1 {
			to.Intercept[c] += t * d[w.k]
		}
	}
	return to
}

// start returns the initial solution of the iterations.
func (w *evaluator) start(from *Solution) *Solution {
	s := w.p.start(w.cols, from)
	s.Z = make([]float64, w.outputs*w.n)
	return s
}

// eval computes the margins, the losses and the gradient of a solution in one pass over the columns.
func (w *evaluator) eval(s *Solution) {
	w.pass(s, true, func(b *block, all []float64) {
		for c := range w.outputs {
			z := b.part(all, c)
			for i := range z {
				z[i] = s.Intercept[c]
			}
			kernel.MulTFloat64(z, b.x, s.Beta[c])
		}
	})
}

// search is a backtracking line search: it halves the step until the objective decreases enough (Armijo). It returns
// the new solution and the step taken, or nil if no step is short enough. If the full step is accepted, the columns are
// read once.
func (w *evaluator) search(s *Solution, step []float64, promised float64) (*Solution, []float64) {
	if w.along == nil {
		w.along = make([]float64, len(s.Z))
	}
	along := w.along
	for n, t := 0, 1.0; n < halvings; n, t = n+1, t/2 {
		next := w.moved(s, step, t)
		w.pass(next, n == 0, func(b *block, all []float64) {
			for c := range w.outputs {
				z, d := b.part(all, c), w.of(step, c)
				copy(z, s.Z[c*w.n+b.lo:])
				to := along[c*w.n+b.lo : c*w.n+b.hi]
				if n == 0 {
					start := 0.0
					if w.free == 1 {
						start = d[w.k]
					}
					for i := range to {
						to[i] = start
					}
					kernel.MulTFloat64(to, b.x, d[:w.k])
				}
				axpy(z, t, to)
			}
		})
		if next.Objective <= s.Objective-sufficient*t*promised {
			if n > 0 {
				w.eval(next)
			}
			moved := append([]float64(nil), step...)
			scale(moved, t)
			w.spare = s.Z // nothing reads it any more
			return next, moved
		}
		w.spare = next.Z
	}
	return nil, nil
}

// part returns the part of a block's vector for output c.
func (b *block) part(v []float64, c int) []float64 {
	size := b.hi - b.lo
	return v[c*size : (c+1)*size]
}

// pass computes the losses of a solution and, if gradient is set, the gradient. The function margins computes the
// margins of a block. Threads share the blocks; the sums of the blocks are added in order.
func (w *evaluator) pass(s *Solution, gradient bool, margins func(b *block, z []float64)) {
	parallel.Do(context.Background(), len(w.scratch), len(w.blocks), func(thread, i int) error {
		b, at := &w.blocks[i], &w.scratch[thread]
		margins(b, at.z)
		b.loss, b.weight = w.p.Loss.Eval(at.r, at.z, b.target)
		for c := range w.outputs {
			copy(s.Z[c*w.n+b.lo:], b.part(at.z, c))
			if !gradient {
				continue
			}
			r, grad := b.part(at.r, c), w.of(b.grad, c)
			if kernel.MulFloat64(grad[:w.k], b.x, r); w.free == 1 {
				grad[w.k] = total(r)
			}
		}
		return nil
	})
	sum := 0.0
	w.weight = 0
	for i := range w.blocks {
		sum += w.blocks[i].loss
		w.weight += w.blocks[i].weight
	}
	s.Loss = sum / w.weight
	w.p.penalise(s, w.cols)
	if !gradient {
		return
	}
	clear(w.grad)
	for i := range w.blocks {
		axpy(w.grad, 1, w.blocks[i].grad)
	}
	scale(w.grad, 1/w.weight)
	for c := range w.outputs {
		grad := w.of(w.grad, c)
		for j, col := range w.cols {
			grad[j] += 2 * (w.p.Ridge + w.p.Penalty[col]) * s.Beta[c][j]
		}
	}
}
