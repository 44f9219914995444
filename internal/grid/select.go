package grid

import (
	"context"
	"slices"

	"fsa/internal/collective"
	"fsa/internal/matrix"
)

// mostSelected is the largest number of cells that is gathered on every process at once.
const mostSelected = 1 << 33

// Select implements [matrix.Matrix]: it gathers some variables on every process.
func (m *Matrix) Select(ctx context.Context, rows, vars []int) (matrix.Matrix, error) {
	if vars == nil || m.rows*len(vars) > mostSelected {
		return nil, errSpread
	}
	g := &gathering{comm: m.grid.world, rows: m.rows, wanted: true, tiles: m.tiles}
	g.part = func(p int) (lo, hi, from, to int) {
		s, t := share(len(m.cut.Shards)-1, p/m.grid.Columns, m.grid.Rows)
		u, v := share(len(m.cut.Slices)-1, p%m.grid.Columns, m.grid.Columns)
		return m.cut.Shards[s], m.cut.Shards[t], m.cut.Slices[u], m.cut.Slices[v]
	}
	for c := range m.left {
		g.vars = append(g.vars, m.tiled(c))
	}
	x, err := m.gathered(ctx, g, vars)
	if err != nil || rows == nil {
		return x, err
	}
	return x.Select(ctx, rows, nil)
}

// gathering describes whose cells are gathered, and of which rows.
type gathering struct {
	comm   collective.Comm
	rows   int                                // of all
	part   func(p int) (lo, hi, from, to int) // rows of process p, counted from the first row of all, and its variables
	wanted bool                               // this process receives them
	tiles  [][]matrix.Normed                  // of this process, by shard and slice,
	vars   [][]int                            // and the variables of the tiles of a slice
}

// gathered returns the given ascending variables, stored like those of this table: numbers as
// float32, and without zeros if they are sparse and in bins. It returns nil if they are not wanted.
func (m *Matrix) gathered(ctx context.Context, g *gathering, vars []int) (matrix.Matrix, error) {
	if m.parts[1] == nil {
		return m.gatheredKind(ctx, g, vars, 0)
	}
	numbers := matrix.Variables(m.parts[0])
	at, _ := slices.BinarySearch(vars, numbers)
	var parts []matrix.Matrix
	for i, some := range [][]int{vars[:at], vars[at:]} {
		if len(some) == 0 && (i == 1 || len(vars) > 0) {
			continue
		}
		x, err := m.parts[i].gatheredKind(ctx, g, some, i*numbers)
		if err != nil {
			return nil, err
		}
		parts = append(parts, x)
	}
	if !g.wanted {
		return nil, nil
	}
	return matrix.Beside(parts...), nil
}

// gatheredKind gathers variables of one kind, the first of which is number first of all m.
func (m *Matrix) gatheredKind(ctx context.Context, g *gathering, vars []int, first int) (matrix.Matrix, error) {
	switch {
	case m.text:
		codes, err := cellsOf(ctx, g, vars, func(x matrix.Matrix, i int) []uint32 { return x.(*matrix.OneHot).Row(i) })
		if err != nil || !g.wanted {
			return nil, err
		}
		return matrix.NewOneHot(m.widthsOf(vars, first), codes), nil
	case m.bins > 0:
		codes, err := cellsOf(ctx, g, vars, func(x matrix.Matrix, i int) []uint16 { return x.(*matrix.Binned).Row(i) })
		if err != nil || !g.wanted {
			return nil, err
		}
		widths := m.widthsOf(vars, first)
		if !m.sparse {
			return matrix.NewBinned(m.bins, widths, g.rows, codes), nil
		}
		zero := make([]uint16, len(vars))
		for i, v := range vars {
			zero[i] = m.zero[v-first]
		}
		return matrix.NewSparseBinned(m.bins, widths, zero, g.rows, codes), nil
	}
	cells, err := cellsOf(ctx, g, vars, func(x matrix.Matrix, i int) []float32 { return x.(*matrix.Dense).Row(i) })
	if err != nil || !g.wanted {
		return nil, err
	}
	return matrix.NewDense(g.rows, len(vars), cells), nil
}

// widthsOf returns the number of columns of each variable, given the number in the table of the
// first variable of this part.
func (m *Matrix) widthsOf(vars []int, first int) []int {
	widths := make([]int, len(vars))
	for i, v := range vars {
		widths[i] = m.first[v-first+1] - m.first[v-first]
	}
	return widths
}

// cellsOf returns the cells of some ascending variables, row after row; row returns those of a row
// of a tile.
func cellsOf[V float32 | uint16 | uint32](ctx context.Context, g *gathering, vars []int, row func(x matrix.Matrix, i int) []V) ([]V, error) {
	// The cells that each process holds of the variables, and where they go.
	varsOf := func(from, to int) (first, n int) {
		lo, _ := slices.BinarySearch(vars, from)
		hi, _ := slices.BinarySearch(vars, to)
		return lo, hi - lo
	}
	mine, err := pick(ctx, g, vars, row)
	if err != nil {
		return nil, err
	}
	all, err := gatherAlong(ctx, g.comm, func(p int) int {
		lo, hi, from, to := g.part(p)
		_, n := varsOf(from, to)
		return (hi - lo) * n
	}, mine)
	if err != nil || !g.wanted || g.comm.Size() == 1 {
		return all, err
	}
	cells := make([]V, g.rows*len(vars))
	for p := range g.comm.Size() {
		lo, hi, from, to := g.part(p)
		first, n := varsOf(from, to)
		for i := lo; i < hi; i++ {
			copy(cells[i*len(vars)+first:], all[:n])
			all = all[n:]
		}
	}
	return cells, nil
}

// pick returns the cells of some variables that this process holds, row after row.
func pick[V float32 | uint16 | uint32](ctx context.Context, g *gathering, vars []int, row func(x matrix.Matrix, i int) []V) ([]V, error) {
	at := make([][]int, len(g.vars)) // their positions in the tiles of each slice
	lo, hi, from, to := g.part(g.comm.Rank())
	n := 0
	for c, list := range g.vars {
		for k, v := range list {
			if _, found := slices.BinarySearch(vars, v); found {
				at[c] = append(at[c], k)
			}
		}
		n += len(at[c])
	}
	if first, _ := slices.BinarySearch(vars, from); first+n < len(vars) && vars[first+n] < to {
		panic(errDropped)
	}
	mine := make([]V, 0, n*(hi-lo))
	for _, tiles := range g.tiles {
		var some []matrix.Matrix
		rows := 0
		for c, t := range tiles {
			if at[c] == nil {
				continue
			}
			x, err := picked(ctx, t, at[c])
			if err != nil {
				return nil, err
			}
			some = append(some, x)
			rows, _ = x.Dims()
		}
		for i := range rows {
			for _, x := range some {
				mine = append(mine, row(x, i)...)
			}
		}
	}
	return mine, nil
}

// picked returns some ascending variables of a tile: sparse ones with their zeros, rounded ones as
// float32.
func picked(ctx context.Context, x matrix.Matrix, vars []int) (matrix.Matrix, error) {
	some, err := x.Select(ctx, nil, vars)
	if err != nil {
		return nil, err
	}
	switch s := some.(type) {
	case interface{ Dense() *matrix.Dense }:
		return s.Dense(), nil
	case *matrix.SparseBinned:
		return s.Dense(), nil
	}
	return some, nil
}
