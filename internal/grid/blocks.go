package grid

import (
	"context"
	"iter"

	"fsa/internal/collective"
	"fsa/internal/matrix"
	"fsa/internal/parallel"
	"fsa/loss"
)

// turner converts the margins z of some rows to r, output after output. d has space for one number
// per row.
type turner func(r, z, d []float64, t loss.Target) (sum, weight float64)

// columnsAt returns where the gradient of each slice begins, output after output, and where the
// last one ends.
func (o *Objective) columnsAt() []int {
	at := sized(o.buffers.at, len(o.slices)+1)
	o.buffers.at = at
	at[0] = 0
	for c, s := range o.slices {
		at[c+1] = at[c]
		if len(s.column) > 0 {
			at[c+1] += o.outputs * s.stored
		}
	}
	return at
}

// inSteps calls f for parts of 0 to n−1, on all threads.
func inSteps(ctx context.Context, n int, f func(lo, hi int)) error {
	const step = 1024 // coefficients that a thread takes at a time
	return parallel.Do(ctx, 0, (n+step-1)/step, func(_, i int) error {
		f(i*step, min((i+1)*step, n))
		return nil
	})
}

// margin holds the terms of margins other than the products with the tiles.
type margin struct {
	constant []float64 // added to every margin, by output
	ridge    float64   // value of the penalty
	units    []unit    // contribution of the slices, by shard
	null     bool      // the slices contribute nothing
}

// set sets the margins of some rows of a shard, output after output, to the sum of what the slices
// contribute.
func (m *margin) set(z []float64, sums []int64, shard int) {
	n := len(z) / len(m.constant)
	u := m.units[shard]
	for q, constant := range m.constant {
		from, to := sums[q*n:(q+1)*n], z[q*n:(q+1)*n]
		for i, v := range from {
			to[i] = u.value(v) + constant
		}
	}
}

// shift adds the constants to the margins.
func (m *margin) shift(z []float64) {
	n := len(z) / len(m.constant)
	for q, constant := range m.constant {
		for i := range z[q*n : (q+1)*n] {
			z[q*n+i] += constant
		}
	}
}

// blocks cuts runs of rows, each into blocks of about the same length, which a loss sees together
// and which stay in the cache until they are used for the second time. They do not depend on the
// grid, because the last digits of a loss depend on them.
func (o *Objective) blocks(runs [][2]int) iter.Seq2[int, int] {
	living := o.table.cells / max(o.table.rows, 1) * o.layout.Groups() / max(o.groups, 1) // cells per row
	bytes := 4 * living
	if o.table.sparse {
		bytes = 8 * (living + 1)
	}
	most := matrix.BlockRows(bytes)
	return func(yield func(lo, hi int) bool) {
		for _, run := range runs {
			rows := run[1] - run[0]
			count := (rows + most - 1) / most
			step := ((rows+count-1)/count + 3) &^ 3 // kernels take rows four at a time
			for lo := run[0]; lo < run[1]; lo += step {
				if !yield(lo, min(lo+step, run[1])) {
					return
				}
			}
		}
	}
}

// target returns the part of the target that a loss may use for some rows of a shard.
func (o *Objective) target(s, lo, hi int) loss.Target {
	first := o.shards[s].lo
	t := loss.Target{Y: o.y[first+lo : first+hi]}
	if o.w != nil {
		t.Weight = o.w[first+lo : first+hi]
	}
	return t
}

// sumAlong sums vectors along a row or a column of the grid.
func (o *Objective) sumAlong(ctx context.Context, c collective.Comm, v []int64) error {
	if err := ctx.Err(); err != nil || c.Size() == 1 || len(v) == 0 {
		return err
	}
	return c.Sum(v)
}

// alone reports whether every grid has a single slice, so that z need not be rounded.
func (o *Objective) alone() bool { return len(o.cut.Slices) == 2 }
