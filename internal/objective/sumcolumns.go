package objective

import (
	"context"

	"fsa/internal/matrix"
)

// sumByColumns is sum for one shard on several threads. In a sparse table, adding the sums of two shards
// takes longer than computing them. So threads first share the blocks of rows to compute z and r, and
// then the columns to compute Xᵀr. Each number is summed in the same order as on one thread, so the bits
// are the same.
func (ob *Objective) sumByColumns(ctx context.Context, x matrix.Ranged, s shard, of model) (*sums, error) {
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
		ob.margins(w, p.rows, of.constant, true)
		p.sum, p.weight = of.turn(w, b)
		p.r = append(p.r, w.r...)
	})
	totals, _ := ob.pool.ready(0, 1, ob.outputs, cols)
	total := totals[0]
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
