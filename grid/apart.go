package grid

import (
	"context"

	"fsa/internal/parallel"
)

// A pass over a grid of several columns has to know all of z before the loss: tiles are multiplied
// by the coefficients first, and by r after z was summed over processes.

// margins returns z of the runs of each shard: run after run, and in a run output after output.
func (o *Objective) margins(ctx context.Context, runs [][][2]int, m margin) ([][]float64, error) {
	at, total := o.places(runs)
	sums, z := make([]int64, total), make([][]float64, len(runs))
	if !m.null {
		if err := parallel.Do(ctx, 0, len(runs), func(_, s int) error {
			var room []float64
			for c, t := range o.shards[s].tiles {
				sl := o.slices[c]
				if len(sl.column) == 0 {
					continue
				}
				to := sums[at[s]:at[s+1]]
				for _, run := range runs[s] {
					n := run[1] - run[0]
					x, err := t.x.Slice(ctx, run[0], run[1])
					if err != nil {
						return err
					}
					room = sized(room, n)
					for q := range o.outputs {
						x.Mul(room, sl.spread[q*sl.stored:(q+1)*sl.stored])
						m.units[s].add(to[q*n:(q+1)*n], room)
					}
					to = to[o.outputs*n:]
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
		if err := o.sumAlong(ctx, o.grid.row, sums); err != nil {
			return nil, err
		}
	}
	for s := range runs {
		z[s] = make([]float64, at[s+1]-at[s])
		to, from := z[s], sums[at[s]:]
		for _, run := range runs[s] {
			n := o.outputs * (run[1] - run[0])
			m.set(to[:n], from[:n], s)
			to, from = to[n:], from[n:]
		}
	}
	return z, nil
}

// places returns where the margins of the runs of each shard begin, and how many there are.
func (o *Objective) places(runs [][][2]int) (at []int, total int) {
	at = make([]int, len(runs)+1)
	for s := range runs {
		for _, run := range runs[s] {
			total += o.outputs * (run[1] - run[0])
		}
		at[s+1] = total
	}
	return at, total
}

// turned turns z into r, in place, block by block.
func (o *Objective) turned(ctx context.Context, runs [][][2]int, z [][]float64, turn turner, sums *tally) error {
	return parallel.Do(ctx, 0, len(runs), func(_, s int) error {
		var r, block, d []float64
		from := z[s]
		for _, run := range runs[s] {
			rows := run[1] - run[0]
			for lo, hi := range o.blocks([][2]int{run}) {
				n := hi - lo
				r, block, d = sized(r, o.outputs*n), sized(block, o.outputs*n), sized(d, n)
				for q := range o.outputs {
					copy(block[q*n:(q+1)*n], from[q*rows+lo-run[0]:])
				}
				sum, weight := turn(r, block, d, o.target(s, lo, hi))
				sums.add(s, r, sum, weight)
				for q := range o.outputs {
					copy(from[q*rows+lo-run[0]:], r[q*n:(q+1)*n])
				}
			}
			from = from[o.outputs*rows:]
		}
		return nil
	})
}

// products finds the gradient of each shard alone.
func (o *Objective) products(ctx context.Context, runs [][][2]int, r [][]float64) error {
	at := o.columnsAt()
	o.rooms.apart = sized(o.rooms.apart, len(runs))
	return parallel.Do(ctx, 0, len(runs), func(_, s int) error {
		if len(runs[s]) == 0 {
			return nil
		}
		g := o.rooms.gradientOf(s, at[len(o.slices)])
		for c, sl := range o.slices {
			if len(sl.column) == 0 {
				continue
			}
			from := r[s]
			for _, run := range runs[s] {
				n := run[1] - run[0]
				x, err := o.shards[s].tiles[c].x.Slice(ctx, run[0], run[1])
				if err != nil {
					return err
				}
				for q := range o.outputs {
					x.MulT(g[at[c]+q*sl.stored:at[c]+(q+1)*sl.stored], from[q*n:(q+1)*n])
				}
				from = from[o.outputs*n:]
			}
		}
		return nil
	})
}
