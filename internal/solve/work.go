package solve

import (
	"context"
	"slices"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
	"fsa/loss"
)

// work is the room of a solver: some columns, in blocks of rows that stay in the cache while they are
// used twice, for the margins and for the gradient. Coefficients lie output after output, the columns
// of each and then its intercept.
type work struct {
	p                   *Problem
	cols                []int
	blocks              []block
	n, k, outputs, free int
	grad                []float64
	weight              float64 // of all rows
	seats               []seat  // by thread
}

// seat is the room one thread works in on a block: margins and derivatives, output after output.
type seat struct{ z, r []float64 }

// block is some rows of the columns, one column after the other, and what they add to the loss, to
// the weight and to the gradient.
type block struct {
	lo, hi       int
	x            []float64
	target       loss.Target
	loss, weight float64
	grad         []float64
}

// fewBlocks is the number of blocks for which another thread is worth its start.
const fewBlocks = 16

// newWork returns room that is taken until the next one is asked for. On the columns of the last one it
// is that one.
func newWork(p *Problem, cols []int) *work {
	if p.kept == nil {
		p.kept = p.keep()
	}
	if w := p.kept.work(p, cols); w != nil {
		return w
	}
	w := &work{p: p, cols: slices.Clone(cols), n: len(p.kept.target.Y), k: len(cols), outputs: p.outputs()}
	if p.Intercept {
		w.free = 1
	}
	if cap(p.kept.room) < w.k*w.n { // all columns may yet be asked for
		p.kept.room = make([]float64, len(p.X)*w.n)
	}
	rows := chunk
	if p.Target.Query != nil || p.Target.Pairs != nil { // which are not cut
		rows = max(w.n, 1)
	}
	room := p.kept.room
	for lo := 0; lo < w.n; lo += rows {
		b := block{lo: lo, hi: min(lo+rows, w.n), target: p.kept.target}
		size := b.hi - lo
		b.x, room = room[:w.k*size], room[w.k*size:]
		for j, col := range cols {
			p.kept.pick(b.x[j*size:(j+1)*size], p.X[col], lo)
		}
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
		w.seats = append(w.seats, seat{make([]float64, size), make([]float64, size)})
	}
	w.grad = make([]float64, w.outputs*(w.k+w.free))
	for i := range w.blocks {
		w.blocks[i].grad = make([]float64, len(w.grad))
	}
	p.kept.last, p.kept.columns = w, p.kept.columns[:0]
	for _, col := range cols {
		p.kept.columns = append(p.kept.columns, first(p.X[col]))
	}
	return w
}

// of returns the part of a vector that belongs to an output.
func (w *work) of(v []float64, c int) []float64 {
	width := w.k + w.free
	return v[c*width : (c+1)*width]
}

// moved returns the coefficients t steps from a solution, and room for its margins.
func (w *work) moved(s *Solution, step []float64, t float64) *Solution {
	to := &Solution{Beta: make([][]float64, w.outputs), Intercept: make([]float64, w.outputs), Z: make([]float64, len(s.Z))}
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

// start returns the solution that iterations begin with.
func (w *work) start(from *Solution) *Solution {
	s := w.p.start(w.cols, from)
	s.Z = make([]float64, w.outputs*w.n)
	return s
}

// eval sets the margins, losses and gradient of a solution. Columns are read once.
func (w *work) eval(s *Solution) {
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

// search goes along a step, half as far while that does not keep enough of what the
// step promises. Columns are read once where the whole step does. It returns nil
// where nothing does, and else also how far it went.
func (w *work) search(s *Solution, step []float64, promised float64) (*Solution, []float64) {
	along := make([]float64, len(s.Z)) // the step in margins
	for n, t := 0, 1.0; n < halvings; n, t = n+1, t/2 {
		next := w.moved(s, step, t)
		w.pass(next, n == 0, func(b *block, all []float64) {
			for c := range w.outputs {
				z, d := b.part(all, c), w.of(step, c)
				copy(z, s.Z[c*w.n+b.lo:])
				to := along[c*w.n+b.lo : c*w.n+b.hi]
				if n == 0 {
					if w.free == 1 {
						for i := range to {
							to[i] = d[w.k]
						}
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
			return next, moved
		}
	}
	return nil, nil
}

// part returns what a vector of a block has for an output.
func (b *block) part(v []float64, c int) []float64 {
	size := b.hi - b.lo
	return v[c*size : (c+1)*size]
}

// pass sets the losses of a solution and, if that is asked for, the gradient. Margins are set for one
// block after the other. Threads share the blocks, whose sums are added in their order.
func (w *work) pass(s *Solution, gradient bool, margins func(b *block, z []float64)) {
	parallel.Do(context.Background(), len(w.seats), len(w.blocks), func(thread, i int) error {
		b, at := &w.blocks[i], &w.seats[thread]
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
