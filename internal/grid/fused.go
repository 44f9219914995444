package grid

import (
	"context"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// A pass over a grid of one column reads the tiles once: a block of rows is multiplied by r while
// the next block is multiplied by the coefficients.

// fused computes r of the runs of each shard, and the gradient of each shard alone.
func (o *Objective) fused(ctx context.Context, runs [][][2]int, m margin, turn turner, sums *tally) error {
	at := o.columnsAt()
	o.buffers.apart = sized(o.buffers.apart, len(runs))
	alone, team := o.alone(), o.buffers.team()
	for _, w := range team {
		w.next, w.past, w.pastG = sized(w.next, len(o.slices)), sized(w.past, len(o.slices)), nil
	}
	if err := parallel.Do(ctx, len(team), len(runs), func(thread, s int) error {
		w := team[thread]
		if len(runs[s]) == 0 {
			return nil
		}
		g := o.buffers.gradientOf(s, at[len(o.slices)])
		for lo, hi := range o.blocks(runs[s]) {
			n := hi - lo
			w.z, w.d, w.r, w.sums = sized(w.z, o.outputs*n), sized(w.d, n), sized(w.r, o.outputs*n), zeros(w.sums, o.outputs*n)
			for c, sl := range o.slices {
				if len(sl.column) == 0 {
					continue
				}
				var err error
				if w.next[c], err = o.shards[s].tiles[c].x.Slice(ctx, lo, hi); err != nil {
					return err
				}
				if m.null {
					w.multiplyPast(c, sl, at[c], o.outputs)
					continue
				}
				if w.multiply(c, sl, at[c], o.outputs); !alone {
					m.units[s].add(w.sums, w.z)
				}
			}
			if alone && !m.null {
				m.shift(w.z)
			} else {
				m.set(w.z, w.sums, s)
			}
			sum, weight := turn(w.r, w.z, w.d, o.target(s, lo, hi))
			sums.add(s, w.r, sum, weight)
			w.next, w.past = w.past, w.next
			w.r, w.pastR, w.pastG = w.pastR, w.r, g
		}
		return nil
	}); err != nil {
		return err
	}
	for _, w := range team {
		for c, sl := range o.slices {
			if len(sl.column) > 0 {
				w.multiplyPast(c, sl, at[c], o.outputs)
			}
		}
	}
	return nil
}

// multiply sets z to what a slice contributes to the margins of a block, and adds Xᵀr of the block
// before it to the gradient.
func (w *worker) multiply(c int, sl *slice, at, outputs int) {
	n := len(w.d)
	for q := range outputs {
		z, beta := w.z[q*n:(q+1)*n], sl.spread[q*sl.stored:(q+1)*sl.stored]
		if w.pastG == nil {
			w.next[c].Mul(z, beta)
			continue
		}
		rows := len(w.pastR) / outputs
		g := w.pastG[at+q*sl.stored : at+(q+1)*sl.stored]
		matrix.MulTMul(w.next[c], z, beta, w.past[c], g, w.pastR[q*rows:(q+1)*rows], q == outputs-1)
	}
}

// multiplyPast adds Xᵀr of the previous block to the gradient.
func (w *worker) multiplyPast(c int, sl *slice, at, outputs int) {
	if w.pastG == nil {
		return
	}
	rows := len(w.pastR) / outputs
	for q := range outputs {
		w.past[c].MulT(w.pastG[at+q*sl.stored:at+(q+1)*sl.stored], w.pastR[q*rows:(q+1)*rows])
	}
}
