package grid

import (
	"context"

	"fsa/internal/collective"
	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Once few columns are left, slices are so narrow that rounding what they add to z costs much beside multiplying them,
// and so small that they can be moved: when no more columns are to be dropped, or one of mergeShare is left, or twice as many
// as shall stay if that is one of mergeSoon.
const (
	mergeShare = 64
	mergeSoon  = 8
)

// merge makes one slice of all, which every process has of rows of its own: a grid of R×C blocks becomes one of
// RC×1. It reports whether it did: that depends on the number of living groups alone, and not on the grid.
func (o *Objective) merge(ctx context.Context) (bool, error) {
	n := o.layout.Groups()
	if len(o.cut.Slices) == 2 || n == 0 || n > max(o.final, o.groups/mergeShare, min(2*o.final, o.groups/mergeSoon)) || o.sparse {
		return false, nil
	}
	s, err := o.mergedSlice(ctx, n)
	if err != nil {
		return false, err
	}
	g := o.grid
	rank := g.at[0]*g.Columns + g.at[1]
	lo, hi := share(len(o.cut.Shards)-1, rank, g.Rows*g.Columns)
	shards := make([]shard, hi-lo)
	for i := range o.shards { // those of a row of the grid, of which each process gets some
		x, err := o.mergedTile(ctx, i, n, o.first+i >= lo && o.first+i < hi)
		if err != nil {
			return false, err
		}
		if x != nil {
			shards[o.first+i-lo] = shard{lo: o.shards[i].lo, hi: o.shards[i].hi, tiles: []tile{{x: x, own: true}}}
		}
	}
	parallel.Each(len(shards), func(i int) {
		t := &shards[i].tiles[0]
		*t = measured(t.x)
		t.own = true
	})
	o.grid = &Grid{Rows: g.Rows * g.Columns, Columns: 1, world: g.world, row: collective.Single{}, column: g.world, at: [2]int{rank, 0}}
	o.cut.Slices = []int{0, o.cut.Slices[len(o.cut.Slices)-1]}
	o.first, o.shards, o.slices, o.living = lo, shards, []*slice{s}, []int{n}
	o.once, o.home, o.rooms = true, nil, rooms{}
	o.arrange(o.runs)
	return true, nil
}

// mergedSlice returns the slice of all living groups.
func (o *Objective) mergedSlice(ctx context.Context, n int) (*slice, error) {
	to := &slice{stored: n, must: make([]bool, n), spread: make([]float64, o.outputs*n)}
	var original []int64
	var rest []float64 // scale, offset, and whether it must stay
	for _, s := range o.slices {
		for j, g := range s.original {
			must := 0.0
			if s.must[j] {
				must = 1
			}
			original, rest = append(original, int64(g)), append(rest, s.scale[j], s.offset[j], must)
		}
	}
	original, err := gatherAlong(ctx, o.grid.row, o.groupsOf, original)
	if err != nil {
		return nil, err
	}
	if rest, err = gatherAlong(ctx, o.grid.row, func(p int) int { return 3 * o.groupsOf(p) }, rest); err != nil {
		return nil, err
	}
	for j, g := range original {
		to.original, to.lying, to.column = append(to.original, int(g)), append(to.lying, int(g)), append(to.column, j)
		to.scale, to.offset, to.must[j] = append(to.scale, rest[3*j]), append(to.offset, rest[3*j+1]), rest[3*j+2] > 0
	}
	for _, v := range []struct {
		of func(*vectors) []float64
		to *[]float64
	}{{beta, &to.beta}, {velocity, &to.velocity}, {trail, &to.trail}, {grad, &to.grad}, {direction, &to.direction}} {
		all, err := o.whole(ctx, v.of)
		if err != nil {
			return nil, err
		}
		*v.to = all[:o.outputs*n]
	}
	return to, nil
}

// mergedTile brings the living columns of a shard together, of n in all, and returns them if they are wanted here.
func (o *Objective) mergedTile(ctx context.Context, i, n int, wanted bool) (*matrix.Dense, error) {
	sh := &o.shards[i]
	rows := sh.hi - sh.lo
	mine := make([]float32, 0, rows*o.groupsOf(o.grid.at[1])) // row after row
	for r := range rows {
		for c, s := range o.slices {
			if len(s.column) == 0 {
				continue
			}
			row := sh.tiles[c].x.Row(r)
			for _, p := range s.column {
				mine = append(mine, row[p])
			}
		}
	}
	all, err := gatherAlong(ctx, o.grid.row, func(p int) int { return rows * o.groupsOf(p) }, mine)
	if err != nil || !wanted {
		return nil, err
	}
	if o.grid.Columns == 1 {
		return matrix.NewDense(rows, n, all), nil
	}
	x := make([]float32, rows*n)
	for p, first := 0, 0; p < o.grid.Columns; p++ {
		width := o.groupsOf(p)
		for r := range rows {
			copy(x[r*n+first:r*n+first+width], all[r*width:])
		}
		all, first = all[rows*width:], first+width
	}
	return matrix.NewDense(rows, n, x), nil
}
