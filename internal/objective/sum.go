package objective

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
	"fsa/loss"
)

// Sums over rows, on several threads, with the same bits for any number of
// them: rows are cut into shards that depend on the data only, every shard is
// summed in order by one thread, and the shards are added in order.

// shardRows returns the least number of rows of a shard.
func shardRows(x matrix.Matrix) int {
	rows, cols := x.Dims()
	perRow := x.Cells()/max(rows, 1) + 1
	share := shardShare
	if perRow < cols/sparseShare {
		share = sparseShare
	}
	return max(x.BlockRows(), share*cols/perRow, shardCells/perRow)
}

// sums are what is added up over rows.
type sums struct {
	g           []float64 // Xᵀr by output and column
	slope       []float64 // Σr by output, which is the gradient of the intercepts
	sum, weight float64
}

// newSums has its numbers to itself: threads that write to the same line of the
// cache would wait for each other.
func newSums(outputs, cols int) *sums {
	const line = 8 // numbers, at least
	room := make([]float64, line+outputs*cols+outputs+line)[line:]
	g := room[: outputs*cols : outputs*cols]
	return &sums{g: g, slope: room[len(g):][:outputs]}
}

func (s *sums) reset() {
	clear(s.g)
	clear(s.slope)
	s.sum, s.weight = 0, 0
}

func (s *sums) add(t *sums) {
	to := s.g[:len(t.g)]
	for p, v := range t.g {
		to[p] += v
	}
	for c, v := range t.slope {
		s.slope[c] += v
	}
	s.sum += t.sum
	s.weight += t.weight
}

// worker is the room one thread works in.
type worker struct {
	*sums
	z, d []float64 // margins of a block, and a number for each of its rows
	r    []float64 // what Xᵀ is multiplied by

	past  matrix.Rows // a block whose Xᵀr has still to be added, or nil,
	pastR []float64   // and its r
}

// pool keeps that room between calls.
type pool struct {
	threads int
	total   *sums
	workers []*worker
	crew    parallel.Team
}

// ready returns a total and workers for the given shape.
func (p *pool) ready(n, outputs, cols int) (*sums, []*worker) {
	if p.total == nil || len(p.total.g) != outputs*cols || len(p.total.slope) != outputs {
		p.total, p.workers = newSums(outputs, cols), nil
	}
	for len(p.workers) < n {
		p.workers = append(p.workers, &worker{sums: newSums(outputs, cols)})
	}
	return p.total, p.workers[:n]
}

// share calls f for 0 to n−1 on all threads, of which it is told the number.
func (p *pool) share(n int, f func(thread, i int)) {
	var next atomic.Int64
	p.crew.Run(max(min(p.threads, n), 1), func(thread int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(thread, i)
		}
	})
}

// spread calls f for the parts of 0 to n−1 on all threads.
func (p *pool) spread(n int, f func(part, lo, hi int)) {
	p.share((n+vectorPart-1)/vectorPart, func(_, i int) {
		f(i, i*vectorPart, min((i+1)*vectorPart, n))
	})
}

// resize makes room for a block of n rows.
func (w *worker) resize(n, outputs int) {
	if cap(w.d) < n {
		w.z, w.d, w.r = make([]float64, n*outputs), make([]float64, n), make([]float64, n*outputs)
		w.pastR = slices.Grow(w.pastR, n*outputs)
	}
	w.z, w.d, w.r = w.z[:n*outputs], w.d[:n], w.r[:n*outputs]
}

// sum sets z = Xβ for every block of rows of the shards, lets f turn z into r,
// and adds up Xᵀr, r and what f returns. F finds z, r and room for another number
// a row in the worker. The result is valid until the next call.
func (ob *Objective) sum(ctx context.Context, shards []shard, constant []float64, f func(w *worker, t loss.Target) (sum, weight float64)) (*sums, error) {
	rows, cols := ob.x.Dims()
	taken := 0
	for _, s := range shards {
		for _, b := range s {
			taken += b.hi - b.lo
		}
	}
	share := float64(taken) / float64(rows)
	cells := share * float64(ob.x.Cells())
	ob.meter.Cells += cells
	ob.wasted += share * float64(cols-ob.alive) / float64(cols)

	if x, ok := ob.x.(matrix.Ranged); ok && len(shards) == 1 && ob.pool.threads > 1 && cells > 2*shardCells {
		return ob.sumByColumns(ctx, x, shards[0], constant, f)
	}
	threads := min(max(ob.pool.threads, 1), len(shards))
	total, workers := ob.pool.ready(threads, ob.outputs, cols)
	do := func(w *worker, s shard) error {
		w.reset()
		defer ob.finish(w)
		for _, b := range s {
			if err := ctx.Err(); err != nil {
				return err
			}
			x, err := ob.x.Slice(ctx, b.lo, b.hi)
			if err != nil {
				return err
			}
			w.resize(b.hi-b.lo, ob.outputs)
			ob.margins(w, x, constant)
			sum, weight := f(w, ob.rows.target(b))
			w.sum += sum
			w.weight += weight
			addByOutput(w.slope, w.r)
			w.past = x
			w.r, w.pastR = w.pastR[:len(w.r)], w.r
			if _, held := x.(matrix.Releaser); held {
				ob.finish(w)
			}
		}
		return nil
	}
	if len(shards) == 1 { // nothing to add up
		return workers[0].sums, do(workers[0], shards[0])
	}
	total.reset()
	return total, ob.pool.inOrder(workers, shards, do, func(w *worker) { total.add(w.sums) })
}

// addByOutput adds up the r of a block, output after output.
func addByOutput(sums, r []float64) {
	n := len(r) / len(sums)
	for c := range sums {
		all := 0.0
		for _, v := range r[c*n : (c+1)*n] {
			all += v
		}
		sums[c] += all
	}
}

// margins sets z = Xβ of a block, output after output, and meanwhile adds Xᵀr of
// the block before it. Nothing is read if all β are zero.
func (ob *Objective) margins(w *worker, x matrix.Rows, constant []float64) {
	if ob.null {
		ob.finish(w)
	}
	n, cols := len(w.d), len(ob.beta)/ob.outputs
	for c, add := range constant {
		z, beta := w.z[c*n:(c+1)*n], ob.beta[c*cols:(c+1)*cols]
		switch {
		case ob.null:
			clear(z)
		case w.past == nil:
			x.Mul(z, beta)
		default:
			m := len(w.pastR) / ob.outputs
			matrix.MulTMul(x, z, beta, w.past, w.g[c*cols:(c+1)*cols], w.pastR[c*m:(c+1)*m], c == ob.outputs-1)
		}
		for i := range z {
			z[i] += add
		}
	}
	w.past = nil
}

// finish adds Xᵀr of the last block.
func (ob *Objective) finish(w *worker) {
	if w.past == nil {
		return
	}
	n, cols := len(w.pastR)/ob.outputs, len(w.g)/ob.outputs
	for c := range ob.outputs {
		w.past.MulT(w.g[c*cols:(c+1)*cols], w.pastR[c*n:(c+1)*n])
	}
	matrix.Release(w.past)
	w.past = nil
}

var errStopped = errors.New("objective: a thread stopped in the middle of its work")

// inOrder does each piece of work on any free worker and then passes that
// worker to done, one at a time, in the order of the work.
func (p *pool) inOrder(workers []*worker, work []shard, do func(*worker, shard) error, done func(*worker)) error {
	var (
		next atomic.Int64 // work to hand out
		past atomic.Int64 // work done, in order
		fail atomic.Pointer[error]
	)
	p.crew.Run(len(workers), func(member int) {
		w, stopped := workers[member], true
		defer func() { // others must not wait for one that panicked
			if stopped {
				fail.CompareAndSwap(nil, &errStopped)
			}
		}()
		for fail.Load() == nil {
			mine := next.Add(1) - 1
			if mine >= int64(len(work)) {
				break
			}
			err := do(w, work[mine])
			parallel.Wait(func() bool { return past.Load() == mine || fail.Load() != nil })
			if fail.Load() != nil {
				break
			}
			if err != nil {
				fail.Store(&err)
				break
			}
			done(w)
			past.Store(mine + 1)
		}
		stopped = false
	})
	if err := fail.Load(); err != nil {
		return *err
	}
	return nil
}
