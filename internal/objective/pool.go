package objective

import (
	"errors"
	"slices"
	"sync/atomic"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// shardRows returns the minimum number of rows of a shard.
func shardRows(x matrix.Matrix) int {
	rows, cols := x.Dims()
	perRow := x.Cells()/max(rows, 1) + 1
	share := shardShare
	if perRow < cols/sparseShare {
		share = sparseShare
	}
	return max(x.BlockRows(), share*cols/perRow, shardCells/perRow)
}

// sums holds sums over rows.
type sums struct {
	g           []float64 // Xᵀr by output and column
	slope       []float64 // Σr by output: the gradient by the intercepts
	sum, weight float64
}

// newSums returns the sums of some models, whose Xᵀr lie one after the other. They are in cache lines
// of their own: threads that write to the same line wait for each other.
func newSums(models, outputs, cols int) (list []*sums, g []float64) {
	const line = 8 // numbers, at least
	size := outputs * cols
	room := make([]float64, line+models*(size+outputs)+line)[line:]
	g = room[:models*size]
	slope := room[models*size:]
	list = make([]*sums, models)
	for i := range list {
		list[i] = &sums{g: g[i*size : (i+1)*size : (i+1)*size], slope: slope[i*outputs : (i+1)*outputs : (i+1)*outputs]}
	}
	return list, g
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

// worker is the working memory of one thread.
type worker struct {
	*sums
	z, d []float64 // margins of a block, and a number for each of its rows
	r    []float64 // vector by which Xᵀ is multiplied

	past  matrix.Rows // block whose Xᵀr has not been added yet, or nil
	pastR []float64   // r of that block
}

// resize sets the working memory to a block of n rows.
func (w *worker) resize(n, outputs int) {
	if cap(w.d) < n {
		w.z, w.d, w.r = make([]float64, n*outputs), make([]float64, n), make([]float64, n*outputs)
		w.pastR = slices.Grow(w.pastR, n*outputs)
	}
	w.z, w.d, w.r = w.z[:n*outputs], w.d[:n], w.r[:n*outputs]
}

// desk is the working memory of one thread, for each of the models that share a read.
type desk struct {
	workers []*worker
	g       []float64 // Xᵀr of the models, one after the other
	z, r    []float64 // margins and derivatives of a block that several models read at once
	d       []float64 // a number for each of its rows
}

// pool keeps working memory between calls.
type pool struct {
	threads int
	totals  []*sums // by model
	desks   []*desk // by thread
	beta    []float64
	crew    parallel.Team
}

// ready returns totals and working memory for the given numbers of threads and models and their shape.
func (p *pool) ready(threads, models, outputs, cols int) ([]*sums, []*desk) {
	if len(p.totals) < models || len(p.totals[0].g) != outputs*cols || len(p.totals[0].slope) != outputs {
		p.totals, _ = newSums(models, outputs, cols)
		p.desks = nil
	}
	for len(p.desks) < threads {
		list, g := newSums(len(p.totals), outputs, cols)
		d := &desk{g: g}
		for _, s := range list {
			d.workers = append(d.workers, &worker{sums: s})
		}
		p.desks = append(p.desks, d)
	}
	return p.totals[:models], p.desks[:threads]
}

// piece is the work that one thread does at a time: a shard, for some of the models.
type piece struct {
	shard  shard
	lo, hi int
}

// pieces divides the work on shards for several models among threads. Threads share the shards, and also
// the models if there are fewer shards than threads.
func (p *pool) pieces(shards []shard, models int) []piece {
	parts := 1
	if n := len(shards); n > 0 && n < p.threads {
		parts = min(models, (p.threads+n-1)/n)
	}
	list := make([]piece, 0, parts*len(shards))
	for _, s := range shards {
		for i := range parts {
			list = append(list, piece{s, i * models / parts, (i + 1) * models / parts})
		}
	}
	return list
}

// share calls f for i from 0 to n−1 on all threads, with the number of the thread.
func (p *pool) share(n int, f func(thread, i int)) {
	var next atomic.Int64
	p.crew.Run(max(min(p.threads, n), 1), func(thread int) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(thread, i)
		}
	})
}

// spread calls f for consecutive parts of 0 to n−1 on all threads.
func (p *pool) spread(n int, f func(part, lo, hi int)) {
	p.share((n+vectorPart-1)/vectorPart, func(_, i int) {
		f(i, i*vectorPart, min((i+1)*vectorPart, n))
	})
}

var errStopped = errors.New("objective: a thread stopped in the middle of its work")

// inOrder calls do for the pieces of work in parallel, and then done for each, one at a time and in the
// order of the pieces.
func (p *pool) inOrder(desks []*desk, work []piece, do func(*desk, piece) error, done func(*desk, piece)) error {
	var (
		next atomic.Int64 // work to hand out
		past atomic.Int64 // work done, in order
		fail atomic.Pointer[error]
	)
	p.crew.Run(len(desks), func(member int) {
		d, stopped := desks[member], true
		defer func() { // others must not wait for a thread that panicked
			if stopped {
				fail.CompareAndSwap(nil, &errStopped)
			}
		}()
		for fail.Load() == nil {
			mine := next.Add(1) - 1
			if mine >= int64(len(work)) {
				break
			}
			err := do(d, work[mine])
			parallel.Wait(func() bool { return past.Load() == mine || fail.Load() != nil })
			if fail.Load() != nil {
				break
			}
			if err != nil {
				fail.Store(&err)
				break
			}
			done(d, work[mine])
			past.Store(mine + 1)
		}
		stopped = false
	})
	if err := fail.Load(); err != nil {
		return *err
	}
	return nil
}
