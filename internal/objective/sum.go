package objective

import (
	"context"

	"fsa/internal/matrix"
)

// Sums over rows have the same bits for any number of threads: rows are divided into shards that depend
// on the data only, one thread sums a shard in order, and the shards are added in order.

// model defines sums over rows. turn converts the margins z of a block of rows, in the worker, into r, and returns
// further terms to sum.
type model struct {
	ob       *Objective
	constant []float64 // constant to add to the margins, by output
	turn     func(w *worker, b span) (sum, weight float64)
}

// sum computes z = Xβ for every block of rows of the shards, converts z into r by the model, and sums
// Xᵀr, r and the further terms. The result is valid until the next call.
func (ob *Objective) sum(ctx context.Context, shards []shard, of model) (*sums, error) {
	cells, wasted := read(ob.x, shards, ob.alive)
	ob.meter.Cells += cells
	ob.wasted += wasted
	if x, ok := ob.x.(matrix.Ranged); ok && len(shards) == 1 && ob.pool.threads > 1 && cells > 2*shardCells {
		return ob.sumByColumns(ctx, x, shards[0], of)
	}
	totals, err := ob.pool.sum(ctx, ob.x, shards, []model{of})
	if err != nil {
		return nil, err
	}
	return totals[0], nil
}

// read returns the number of cells that a sum over shards reads, and the passes over dropped columns of x.
func read(x matrix.Matrix, shards []shard, alive int) (cells, wasted float64) {
	rows, cols := x.Dims()
	taken := 0
	for _, s := range shards {
		for _, b := range s {
			taken += b.hi - b.lo
		}
	}
	share := float64(taken) / float64(rows)
	return share * float64(x.Cells()), share * float64(cols-alive) / float64(cols)
}

// sum computes the sums over the shards for several models of x. It reads each block once for all models.
// The bits of a model do not depend on the others.
func (p *pool) sum(ctx context.Context, x matrix.Matrix, shards []shard, models []model) ([]*sums, error) {
	_, cols := x.Dims()
	outputs := models[0].ob.outputs
	pieces := p.pieces(shards, len(models))
	totals, desks := p.ready(min(max(p.threads, 1), len(pieces)), len(models), outputs, cols)
	beta := p.vectors(x, models)
	do := func(d *desk, work piece) error {
		models, workers := models[work.lo:work.hi], d.workers[work.lo:work.hi]
		for _, w := range workers {
			w.reset()
			defer w.finish(outputs)
		}
		for _, b := range work.shard {
			if err := ctx.Err(); err != nil {
				return err
			}
			x, err := x.Slice(ctx, b.lo, b.hi)
			if err != nil {
				return err
			}
			if of, ok := x.(matrix.SeveralRows); ok && beta != nil && len(models) > 1 {
				d.several(of, beta[work.lo*cols:work.hi*cols], work, b, models)
				continue
			}
			_, held := x.(matrix.Releaser)
			for i, m := range models {
				w := workers[i]
				w.resize(b.hi-b.lo, outputs)
				m.ob.margins(w, x, m.constant, i == len(models)-1)
				sum, weight := m.turn(w, b)
				w.sum += sum
				w.weight += weight
				addByOutput(w.slope, w.r)
				w.past = x
				w.r, w.pastR = w.pastR[:len(w.r)], w.r
				if held {
					w.finish(outputs)
				}
			}
			matrix.Release(x)
		}
		return nil
	}
	if len(pieces) == 1 { // only one summand
		own := make([]*sums, len(models))
		for i := range own {
			own[i] = desks[0].workers[i].sums
		}
		return own, do(desks[0], pieces[0])
	}
	for _, t := range totals {
		t.reset()
	}
	return totals, p.inOrder(desks, pieces, do, func(d *desk, work piece) {
		for i := work.lo; i < work.hi; i++ {
			totals[i].add(d.workers[i].sums)
		}
	})
}

// addByOutput adds the sum of r over a block to sums, for each output.
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

// margins computes z = Xβ of a block, output after output, and in the same pass adds Xᵀr of the previous
// block. last means that the previous block is not read again. If all β are zero, nothing is read for z.
func (ob *Objective) margins(w *worker, x matrix.Rows, constant []float64, last bool) {
	if ob.null {
		w.finish(ob.outputs)
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
			matrix.MulTMul(x, z, beta, w.past, w.g[c*cols:(c+1)*cols], w.pastR[c*m:(c+1)*m], last && c == ob.outputs-1)
		}
		for i := range z {
			z[i] += add
		}
	}
	w.past = nil
}

// finish adds Xᵀr of the last block.
func (w *worker) finish(outputs int) {
	if w.past == nil {
		return
	}
	n, cols := len(w.pastR)/outputs, len(w.g)/outputs
	for c := range outputs {
		w.past.MulT(w.g[c*cols:(c+1)*cols], w.pastR[c*n:(c+1)*n])
	}
	w.past = nil
}
