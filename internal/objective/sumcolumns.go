package objective

import (
	"context"

	"fsa/internal/matrix"
	"fsa/loss"
)

// sumByColumns is sum for one shard, on several threads. Where cells are far
// between, the sums of two shards take longer to add up than to find, so threads
// share out the blocks of rows to find z and r, and then the columns to find Xᵀr.
// Every number is summed as one thread would: the bits are the same.
func (ob *Objective) sumByColumns(ctx context.Context, x matrix.Ranged, s shard, constant []float64, f func(w *worker, t loss.Target) (sum, weight float64)) (*sums, error) {
	type part struct {
		rows        matrix.Rows
		r           []float64
		sum, weight float64
		err         error
	}
	_, cols := x.Dims()
	parts := make([]part, len(s))
	workers := make([]worker, ob.pool.threads)
	ob.pool.share(len(s), func(thread, i int) {
		p, w, b := &parts[i], &workers[thread], s[i]
		if p.err = ctx.Err(); p.err != nil {
			return
		}
		if p.rows, p.err = x.Slice(ctx, b.lo, b.hi); p.err != nil {
			return
		}
		w.resize(b.hi-b.lo, ob.outputs)
		ob.margins(w, p.rows, constant)
		p.sum, p.weight = f(w, ob.rows.target(b))
		p.r = append(p.r, w.r...)
	})
	total, _ := ob.pool.ready(0, ob.outputs, cols)
	clear(total.slope)
	total.sum, total.weight = 0, 0
	for i := range parts {
		p := &parts[i]
		if p.err != nil {
			return nil, p.err
		}
		total.sum += p.sum
		total.weight += p.weight
		addByOutput(total.slope, p.r)
	}
	if ob.ranges == nil {
		ob.ranges = x.Ranges(ob.pool.threads)
	}
	ob.pool.share(len(ob.ranges)-1, func(_, i int) {
		lo, hi := ob.ranges[i], ob.ranges[i+1]
		for c := range ob.outputs {
			g := total.g[c*cols : (c+1)*cols]
			clear(g[lo:hi])
			for _, p := range parts {
				n := len(p.r) / ob.outputs
				p.rows.(matrix.RangedRows).MulTOf(g, p.r[c*n:(c+1)*n], lo, hi)
			}
		}
	})
	return total, nil
}
