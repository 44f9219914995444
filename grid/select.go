package grid

import (
	"context"
	"slices"

	"fsa/internal/matrix"
)

// mostSelected is how many cells may be brought to every process at once.
const mostSelected = 1 << 33

// Select implements [matrix.Matrix]: it brings some variables to every process.
func (m *Matrix) Select(ctx context.Context, rows, vars []int) (matrix.Matrix, error) {
	if vars == nil || m.rows*len(vars) > mostSelected {
		return nil, errSpread
	}
	var x matrix.Matrix
	switch {
	case m.parts[1] != nil:
		return m.selectBoth(ctx, rows, vars)
	case m.text:
		codes, err := selected(ctx, m, vars, func(x matrix.Matrix, i int) []uint32 { return x.(*matrix.OneHot).Row(i) })
		if err != nil {
			return nil, err
		}
		x = matrix.NewOneHot(m.widthsOf(vars), codes)
	case m.bins > 0:
		codes, err := selected(ctx, m, vars, func(x matrix.Matrix, i int) []uint16 { return x.(*matrix.Binned).Row(i) })
		if err != nil {
			return nil, err
		}
		widths := m.widthsOf(vars)
		if x = matrix.NewBinned(m.bins, widths, m.rows, codes); m.sparse {
			zero := make([]uint16, len(vars))
			for i, v := range vars {
				zero[i] = m.zero[v]
			}
			x = matrix.NewSparseBinned(m.bins, widths, zero, m.rows, codes)
		}
	default:
		cells, err := selected(ctx, m, vars, func(x matrix.Matrix, i int) []float32 { return x.(*matrix.Dense).Row(i) })
		if err != nil {
			return nil, err
		}
		x = matrix.NewDense(m.rows, len(vars), cells)
	}
	if rows == nil {
		return x, nil
	}
	return x.Select(ctx, rows, nil)
}

// widthsOf returns how many columns some variables have.
func (m *Matrix) widthsOf(vars []int) []int {
	widths := make([]int, len(vars))
	for i, v := range vars {
		widths[i] = m.first[v+1] - m.first[v]
	}
	return widths
}

// selected returns the cells of some variables, ascending, row after row; row returns those of a row of a tile.
func selected[V float32 | uint16 | uint32](ctx context.Context, m *Matrix, vars []int, row func(x matrix.Matrix, i int) []V) ([]V, error) {
	// What each process has of the variables, and where it goes.
	varsOf := func(at int) (list []int, first int) {
		u, v := share(len(m.cut.Slices)-1, at, m.grid.Columns)
		lo, _ := slices.BinarySearch(vars, m.cut.Slices[u])
		hi, _ := slices.BinarySearch(vars, m.cut.Slices[v])
		return vars[lo:hi], lo
	}
	rowsOf := func(at int) (lo, hi int) {
		s, t := share(len(m.cut.Shards)-1, at, m.grid.Rows)
		return m.cut.Shards[s], m.cut.Shards[t]
	}
	list, _ := varsOf(m.grid.at[1])
	mine, err := pick(ctx, m, list, row)
	if err != nil {
		return nil, err
	}
	all, err := gatherAlong(ctx, m.grid.world, func(p int) int {
		list, _ := varsOf(p % m.grid.Columns)
		lo, hi := rowsOf(p / m.grid.Columns)
		return (hi - lo) * len(list)
	}, mine)
	if err != nil {
		return nil, err
	}
	cells := make([]V, m.rows*len(vars))
	for p := range m.grid.Rows * m.grid.Columns {
		list, first := varsOf(p % m.grid.Columns)
		lo, hi := rowsOf(p / m.grid.Columns)
		for i := lo; i < hi; i++ {
			n := copy(cells[i*len(vars)+first:], all[:len(list)])
			all = all[n:]
		}
	}
	return cells, nil
}

// pick returns what this process has of the listed variables, ascending, row after row.
func pick[V float32 | uint16 | uint32](ctx context.Context, m *Matrix, list []int, row func(x matrix.Matrix, i int) []V) ([]V, error) {
	var mine []V
	for s, tiles := range m.tiles {
		var some []matrix.Matrix
		for c, left := 0, list; c < len(tiles) && len(left) > 0; c++ {
			lo, hi := m.cut.Slices[m.slices[0]+c], m.cut.Slices[m.slices[0]+c+1]
			var vars []int
			for ; len(left) > 0 && left[0] < hi; left = left[1:] {
				vars = append(vars, left[0]-lo)
			}
			if vars == nil {
				continue
			}
			x, err := picked(ctx, tiles[c], vars)
			if err != nil {
				return nil, err
			}
			some = append(some, x)
		}
		for i := range m.cut.Shards[m.shards[0]+s+1] - m.cut.Shards[m.shards[0]+s] {
			for _, x := range some {
				mine = append(mine, row(x, i)...)
			}
		}
	}
	return mine, nil
}
