package grid

import (
	"context"

	"fsa/internal/parallel"
)

// On a grid of several columns, a pass needs the whole of z before it can compute the loss: it
// first multiplies the tiles by the coefficients, and by r only once z has been summed over the
// processes. The blocks of rows are those of a pass that reads each tile once, so that all sums
// have the same bits.

// margins returns z of the runs of each shard: block after block, and output after output within a
// block.
func (o *Objective) margins(ctx context.Context, runs [][][2]int, m margin) ([]float64, error) {
	at := o.places(runs)
	sums, z := zeros(o.buffers.margins, at[len(runs)]), sized(o.buffers.z, at[len(runs)])
	o.buffers.margins, o.buffers.z = sums, z
	alone, team := o.alone() && !m.null, o.buffers.team()
	if !m.null {
		multiply := func(thread, s int) error {
			w := team[thread]
			for c, t := range o.shards[s].tiles {
				sl := o.slices[c]
				if len(sl.column) == 0 {
					continue
				}
				to := at[s]
				for lo, hi := range o.blocks(runs[s]) {
					n := hi - lo
					x, err := t.x.Slice(ctx, lo, hi)
					if err != nil {
						return err
					}
					w.z = sized(w.z, n)
					for q := range o.outputs {
						beta := sl.spread[q*sl.stored : (q+1)*sl.stored]
						if alone {
							x.Mul(z[to:to+n], beta)
						} else {
							x.Mul(w.z, beta)
							m.units[s].add(sums[to:to+n], w.z)
						}
						to += n
					}
				}
			}
			return nil
		}
		if err := o.overlapped(ctx, at, multiply, func(lo, hi int) error {
			if alone {
				return nil
			}
			return o.sumAlong(ctx, o.grid.row, sums[lo:hi])
		}); err != nil {
			return nil, err
		}
	}
	return z, parallel.Do(ctx, len(team), len(runs), func(_, s int) error {
		to := at[s]
		for lo, hi := range o.blocks(runs[s]) {
			n := o.outputs * (hi - lo)
			if alone {
				m.shift(z[to : to+n])
			} else {
				m.set(z[to:to+n], sums[to:to+n], s)
			}
			to += n
		}
		return nil
	})
}

// Sizes that are worth a message of their own, and that threads can divide among themselves.
const (
	sentAtOnce   = 1 << 16
	sharedShards = 4
)

// overlapped calls do for every shard, whose margins are at the given places, and calls sum for one
// piece of the shards while the next one is computed. All processes along a row of the grid have
// the same pieces.
func (o *Objective) overlapped(ctx context.Context, at []int, do func(thread, shard int) error, sum func(lo, hi int) error) error {
	shards := len(at) - 1
	pieces := cut(shards, max(min(at[shards]/sentAtOnce, shards/sharedShards), 1))
	travelled := make(chan error, 1)
	travelled <- nil
	for p, to := range pieces[1:] {
		from := pieces[p]
		err := parallel.Do(ctx, len(o.buffers.team()), to-from, func(thread, s int) error { return do(thread, from+s) })
		if before := <-travelled; err == nil {
			err = before
		}
		if err != nil {
			return err
		}
		go func() { travelled <- sum(at[from], at[to]) }()
	}
	return <-travelled
}

// places returns where the margins of the runs of each shard begin, and where the last ones end.
func (o *Objective) places(runs [][][2]int) []int {
	at := sized(o.buffers.place, len(runs)+1)
	o.buffers.place = at
	at[0] = 0
	for s := range runs {
		at[s+1] = at[s]
		for _, run := range runs[s] {
			at[s+1] += o.outputs * (run[1] - run[0])
		}
	}
	return at
}

// turned converts z to r, in place, block by block.
func (o *Objective) turned(ctx context.Context, runs [][][2]int, z []float64, turn turner, sums *tally) error {
	at, team := o.places(runs), o.buffers.team()
	return parallel.Do(ctx, len(team), len(runs), func(thread, s int) error {
		w, to := team[thread], at[s]
		for lo, hi := range o.blocks(runs[s]) {
			n := o.outputs * (hi - lo)
			w.r, w.d = sized(w.r, n), sized(w.d, hi-lo)
			sum, weight := turn(w.r, z[to:to+n], w.d, o.target(s, lo, hi))
			sums.add(s, w.r, sum, weight)
			to += copy(z[to:], w.r)
		}
		return nil
	})
}

// products returns the gradient, in units: each thread adds up what a few of the tiles contribute.
func (o *Objective) products(ctx context.Context, at []int, runs [][][2]int, r []float64, units []unit) ([]int64, error) {
	places, team, slices := o.places(runs), o.buffers.team(), len(o.slices)
	for _, w := range team {
		w.sums = zeros(w.sums, at[slices])
	}
	if err := parallel.Do(ctx, len(team), slices*len(runs), func(thread, i int) error {
		w, s, c := team[thread], i/slices, i%slices
		sl := o.slices[c]
		if len(sl.column) == 0 || len(runs[s]) == 0 {
			return nil
		}
		w.z = zeros(w.z, at[c+1]-at[c])
		from := places[s]
		for lo, hi := range o.blocks(runs[s]) {
			n := hi - lo
			x, err := o.shards[s].tiles[c].x.Slice(ctx, lo, hi)
			if err != nil {
				return err
			}
			for q := range o.outputs {
				x.MulT(w.z[q*sl.stored:(q+1)*sl.stored], r[from:from+n])
				from += n
			}
		}
		units[c].add(w.sums[at[c]:at[c+1]], w.z)
		return nil
	}); err != nil {
		return nil, err
	}
	g := sized(o.buffers.gradients, at[slices])
	o.buffers.gradients = g
	return g, inSteps(ctx, len(g), func(lo, hi int) {
		copy(g[lo:hi], team[0].sums[lo:hi])
		for _, w := range team[1:] {
			for j, v := range w.sums[lo:hi] {
				g[lo+j] += v
			}
		}
	})
}
