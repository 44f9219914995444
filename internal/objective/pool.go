package objective

import (
	"errors"
	"slices"
	"sync/atomic"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

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

// resize makes room for a block of n rows.
func (w *worker) resize(n, outputs int) {
	if cap(w.d) < n {
		w.z, w.d, w.r = make([]float64, n*outputs), make([]float64, n), make([]float64, n*outputs)
		w.pastR = slices.Grow(w.pastR, n*outputs)
	}
	w.z, w.d, w.r = w.z[:n*outputs], w.d[:n], w.r[:n*outputs]
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
