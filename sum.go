package fsa

import (
	"context"
	"sync"

	"fsa/data"
	"fsa/loss"
)

// Sums over rows, on several threads, with the same bits for any number of
// them: rows are cut into shards that depend on the data only, every shard is
// summed in order by one thread, and the shards are added in order.

// Shards that a batch is cut into: enough for many threads to share, few
// enough that adding them up costs little beside reading the rows.
const (
	leastShards = 8
	mostShards  = 64
	shardShare  = 8 // cells of a shard for each number that is added up
)

// shardRows returns the number of rows of a shard.
func shardRows(x data.Matrix, batch span) int {
	rows, cols := x.Dims()
	n := min(max(x.Cells()/max(shardShare*cols, 1), leastShards), mostShards)
	return max(x.BlockRows(), (min(batch.hi-batch.lo, rows)+n-1)/n)
}

// sums are what is added up over rows.
type sums struct {
	g           [][]float64 // Xᵀr by output and column
	r           []float64   // Σr by output
	sum, weight float64
}

func newSums(outputs, cols int) *sums {
	s := &sums{g: make([][]float64, outputs), r: make([]float64, outputs)}
	for c := range s.g {
		s.g[c] = make([]float64, cols)
	}
	return s
}

func (s *sums) reset() {
	for c := range s.g {
		clear(s.g[c])
	}
	clear(s.r)
	s.sum, s.weight = 0, 0
}

func (s *sums) add(t *sums) {
	for c := range s.g {
		to := s.g[c]
		for p, v := range t.g[c] {
			to[p] += v
		}
		s.r[c] += t.r[c]
	}
	s.sum += t.sum
	s.weight += t.weight
}

// worker is the room one thread works in.
type worker struct {
	*sums
	z, d []float64 // margins of a block, and a number for each of its rows
	r    []float64 // what Xᵀ is multiplied by
}

// pool keeps that room between calls.
type pool struct {
	threads int
	total   *sums
	workers []*worker
}

// ready returns a total and workers for the given shape.
func (p *pool) ready(n, outputs, cols int) (*sums, []*worker) {
	if p.total == nil || len(p.total.g) != outputs || len(p.total.g[0]) != cols {
		p.total, p.workers = newSums(outputs, cols), nil
	}
	for len(p.workers) < n {
		p.workers = append(p.workers, &worker{sums: newSums(outputs, cols)})
	}
	p.total.reset()
	return p.total, p.workers[:n]
}

// resize makes room for a block of n rows.
func (w *worker) resize(n, outputs int) {
	if cap(w.d) < n {
		w.z, w.d, w.r = make([]float64, n*outputs), make([]float64, n), make([]float64, n*outputs)
	}
	w.z, w.d, w.r = w.z[:n*outputs], w.d[:n], w.r[:n*outputs]
}

// sum calls f for every block of the rows of a batch, in shards of which one in
// every is taken, and adds up Xᵀr, r and what f returns. F finds room in the
// worker and leaves r there. The result is valid until the next call.
func (ob *objective) sum(ctx context.Context, batch span, every int, f func(w *worker, x data.Rows, t loss.Target) (sum, weight float64)) (*sums, error) {
	step := ob.x.BlockRows()
	cut := ob.rows.cut(batch, shardRows(ob.x, batch))
	var work []span
	for i := 0; i < len(cut); i += every {
		work = append(work, cut[i])
	}
	rows, cols := ob.x.Dims()
	total, workers := ob.pool.ready(min(max(ob.pool.threads, 1), len(work)), len(ob.beta), cols)
	for _, s := range work {
		share := float64(s.hi-s.lo) / float64(rows)
		ob.visited += share * float64(ob.x.Cells())
		ob.wasted += share * float64(cols-ob.alive) / float64(cols)
	}

	shard := func(w *worker, s span) error {
		w.reset()
		for _, b := range ob.rows.cut(s, step) {
			if err := ctx.Err(); err != nil {
				return err
			}
			x, err := ob.x.Slice(ctx, b.lo, b.hi)
			if err != nil {
				return err
			}
			n := b.hi - b.lo
			w.resize(n, len(ob.beta))
			sum, weight := f(w, x, ob.rows.target(b))
			w.sum += sum
			w.weight += weight
			for c := range ob.beta {
				part := w.r[c*n : (c+1)*n]
				x.MulT(w.g[c], part)
				for _, v := range part {
					w.sums.r[c] += v
				}
			}
			release(x)
		}
		return nil
	}
	return total, inOrder(workers, work, shard, func(w *worker) { total.add(w.sums) })
}

// release gives back what rows hold, if they hold something.
func release(x data.Rows) {
	if r, ok := x.(data.Releaser); ok {
		r.Release()
	}
}

// inOrder does each piece of work on any free worker and then passes that
// worker to done, one at a time, in the order of the work.
func inOrder(workers []*worker, work []span, do func(*worker, span) error, done func(*worker)) error {
	var (
		mu   sync.Mutex
		turn = sync.NewCond(&mu)
		next int // work to hand out
		past int // work done, in order
		fail error
		wg   sync.WaitGroup
	)
	loop := func(w *worker) {
		mu.Lock()
		defer mu.Unlock()
		for next < len(work) && fail == nil {
			mine := next
			next++
			mu.Unlock()
			err := do(w, work[mine])
			mu.Lock()
			for past != mine && fail == nil {
				turn.Wait()
			}
			if fail == nil {
				if fail = err; err == nil {
					done(w)
					past++
				}
			}
			turn.Broadcast()
		}
	}
	for _, w := range workers[1:] {
		wg.Go(func() { loop(w) })
	}
	loop(workers[0])
	wg.Wait()
	return fail
}
