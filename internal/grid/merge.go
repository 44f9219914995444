package grid

import (
	"cmp"
	"context"
	"slices"

	"fsa/internal/collective"
	"fsa/internal/matrix"
	"fsa/internal/parallel"
)

// Once few columns are left, slices are so narrow that rounding their contributions to z costs much
// compared with multiplying them, and so small that they can be moved. Slices are merged when no
// more columns are to be dropped, when one in mergeShare is left, or when twice the final number
// are left, provided that is at most one in mergeSoon.
const (
	mergeShare = 64
	mergeSoon  = 8
)

// mergeable reports whether so few groups are left that slices are merged. That depends on their
// number alone, and not on the grid. Cells are moved one by one. Sparse cells are moved with their
// zeros, so sparse tables wait until about as few columns are left as are gathered on every process
// in the end. Rounded cells are moved as float32, which must not take more memory than the table
// did.
func (o *Objective) mergeable() bool {
	n := o.layout.Groups()
	return len(o.cut.Slices) > 2 && n > 0 && n <= fewGroups(o.groups, o.final, o.table.sparse) && 4*n <= cmp.Or(o.table.bytes, 4)*o.groups
}

// fewGroups returns how many groups count as few, given their number at the start and the number to
// keep.
func fewGroups(groups, final int, sparse bool) int {
	few := max(final, min(2*final, groups/mergeSoon))
	if sparse {
		return few
	}
	return max(few, groups/mergeShare)
}

// merge makes one slice of all, of whose rows every process holds some: a grid of R×C blocks
// becomes one of RC×1. It reports whether it did.
func (o *Objective) merge(ctx context.Context) (bool, error) {
	if !o.mergeable() {
		return false, nil
	}
	s, err := o.mergedSlice(ctx)
	if err != nil {
		return false, err
	}
	g := o.grid
	rank := g.at[0]*g.Columns + g.at[1]
	lo, hi := share(len(o.cut.Shards)-1, rank, g.Rows*g.Columns)
	shards := make([]shard, hi-lo)
	for i := range o.shards { // those of a row of the grid, of which each process gets some
		number := o.first + i
		x, err := o.mergedTile(ctx, i, s.vars, number >= lo && number < hi)
		if err != nil {
			return false, err
		}
		if x != nil {
			shards[number-lo] = shard{lo: o.shards[i].lo, hi: o.shards[i].hi, tiles: []tile{{x: x}}}
		}
	}
	parallel.Each(len(shards), func(i int) {
		t := &shards[i].tiles[0]
		*t = measured(t.x)
		t.own = true
	})
	o.grid = &Grid{Rows: g.Rows * g.Columns, Columns: 1, world: g.world, row: collective.Single{}, column: g.world, at: [2]int{rank, 0}}
	o.cut.Slices = []int{0, o.cut.Slices[len(o.cut.Slices)-1]}
	o.first, o.shards, o.slices = lo, shards, []*slice{s}
	o.living, o.columns = []int{len(s.original)}, []int{len(s.column)}
	o.owned, o.buffers = false, buffers{}
	o.settle()
	o.batch(o.runs)
	return true, nil
}

// mergedSlice returns the slice of all living groups.
func (o *Objective) mergedSlice(ctx context.Context) (*slice, error) {
	var groups, from []int64 // number, size and whether it must stay of each group; columns of the table
	var rest []float64       // scale, offset and penalty of each column
	for _, s := range o.slices {
		for j, g := range s.original {
			must := int64(0)
			if s.must[j] {
				must = 1
			}
			groups = append(groups, int64(g), int64(s.first[j+1]-s.first[j]), must)
		}
		for j, p := range s.from {
			penalty := 0.0
			if s.penalty != nil {
				penalty = s.penalty[j]
			}
			from, rest = append(from, int64(p)), append(rest, s.scale[j], s.offset[j], penalty)
		}
	}
	columnsOf := func(p int) int { return o.sumOf(o.columns, p) }
	groups, err := gatherAlong(ctx, o.grid.row, func(p int) int { return 3 * o.groupsOf(p) }, groups)
	if err != nil {
		return nil, err
	}
	if from, err = gatherAlong(ctx, o.grid.row, columnsOf, from); err != nil {
		return nil, err
	}
	if rest, err = gatherAlong(ctx, o.grid.row, func(p int) int { return 3 * columnsOf(p) }, rest); err != nil {
		return nil, err
	}
	to := &slice{first: []int{0}, column: make([]int, len(from))}
	for ; len(groups) > 0; groups = groups[3:] {
		to.original, to.must = append(to.original, int(groups[0])), append(to.must, groups[2] > 0)
		to.first = append(to.first, to.first[len(to.first)-1]+int(groups[1]))
	}
	for j, p := range from {
		to.from, to.scale, to.offset, to.penalty = append(to.from, int(p)), append(to.scale, rest[3*j]), append(to.offset, rest[3*j+1]), append(to.penalty, rest[3*j+2])
	}
	if !slices.ContainsFunc(to.penalty, func(p float64) bool { return p != 0 }) {
		to.penalty = nil
	}
	for _, v := range []struct {
		of func(*vectors) []float64
		to *[]float64
	}{{beta, &to.beta}, {velocity, &to.velocity}, {trail, &to.trail}, {grad, &to.grad}, {direction, &to.direction}} {
		all, err := o.whole(ctx, v.of)
		if err != nil {
			return nil, err
		}
		*v.to = all[:o.outputs*len(from)]
	}
	to.arrange(o.outputs)
	to.lie(o.table.variables(slices.Sorted(slices.Values(to.from))), o.outputs)
	return to, nil
}

// mergedTile gathers the living variables of a shard, and returns them if wanted is set.
func (o *Objective) mergedTile(ctx context.Context, i int, vars []int, wanted bool) (matrix.Normed, error) {
	sh := &o.shards[i]
	g := &gathering{comm: o.grid.row, rows: sh.hi - sh.lo, wanted: wanted, tiles: [][]matrix.Normed{nil}}
	g.part = func(p int) (lo, hi, from, to int) {
		u, v := share(len(o.cut.Slices)-1, p, o.grid.Columns)
		return 0, g.rows, o.cut.Slices[u], o.cut.Slices[v]
	}
	for c, s := range o.slices {
		g.tiles[0], g.vars = append(g.tiles[0], sh.tiles[c].x), append(g.vars, s.vars)
	}
	x, err := o.table.gathered(ctx, g, vars)
	if err != nil || !wanted {
		return nil, err
	}
	if d, ok := x.(*matrix.Dense); ok && o.table.sparse {
		return listed(d), nil
	}
	return x.(matrix.Normed), nil
}

// listed returns the non-zero numbers of a table.
func listed(d *matrix.Dense) *matrix.Sparse {
	rows, cols := d.Dims()
	to := matrix.NewSparse(cols)
	var index []uint32
	var value []float32
	for i := range rows {
		index, value = index[:0], value[:0]
		for j, v := range d.Row(i) {
			if v != 0 {
				index, value = append(index, uint32(j)), append(value, v)
			}
		}
		to.Add(index, value)
	}
	to.Trim()
	return to
}
