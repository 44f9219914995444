package objective

import (
	"context"

	"fsa/internal/matrix"
	"fsa/loss"
)

// Sums over rows, on several threads, with the same bits for any number of
// them: rows are cut into shards that depend on the data only, every shard is
// summed in order by one thread, and the shards are added in order.

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
