package grid

import (
	"context"
	"math"
	"slices"

	"fsa/internal/matrix"
)

var (
	_ matrix.Binner      = (*Matrix)(nil)
	_ matrix.Distributed = (*Matrix)(nil)
)

// Bin implements [matrix.Binner]: it puts the cells of each tile into bins. Variables stay in the
// slices that hold their columns.
func (m *Matrix) Bin(ctx context.Context, b *matrix.Binning, discard bool) (matrix.Matrix, []float64, error) {
	to := m.derived()
	to.bins = b.Bins
	to.keepVariables(b.Columns)
	widths := make([]int, len(b.Columns))
	for v, missing := range b.Missing {
		if widths[v] = b.Bins + 1; missing {
			widths[v]++
		}
	}
	to.setWidths(widths)
	for _, tiles := range m.tiles {
		var binned []matrix.Normed
		for c, t := range tiles {
			lo, hi := to.cut.Slices[m.slices[0]+c], to.cut.Slices[m.slices[0]+c+1]
			if n, w := t.Dims(); w == 0 && !m.sparse { // the slice has only text columns
				binned = append(binned, matrix.NewBinned(b.Bins, nil, n, nil))
				continue
			}
			part := &matrix.Binning{
				Bins: b.Bins, Columns: make([]int, hi-lo), Missing: b.Missing[lo:hi], Range: b.Range[lo:hi],
				Position:   func(v int, x float32) float64 { return b.Position(lo+v, x) },
				Unexpected: func(v int) error { return b.Unexpected(lo + v) },
			}
			for v := range part.Columns {
				part.Columns[v] = b.Columns[lo+v] - m.cut.Slices[m.slices[0]+c]
			}
			x, _, err := t.(matrix.Binner).Bin(ctx, part, discard)
			if err != nil {
				return nil, nil, err
			}
			binned = append(binned, x.(matrix.Normed))
		}
		to.tiles = append(to.tiles, binned)
	}
	if !m.sparse {
		return &to, nil, nil
	}
	cells := []int64{0} // some columns belong to no variable of this slice
	for _, tiles := range to.tiles {
		for _, t := range tiles {
			cells[0] += int64(t.Cells())
		}
	}
	if err := m.grid.world.Sum(cells); err != nil {
		return nil, nil, err
	}
	to.cells = int(cells[0])
	var offset []float64
	to.zero, offset = b.Zeros()
	return &to, offset, nil
}

// stripe is the number of columns that are summarized together: their cells in the listed rows are
// in memory at the same time.
const stripe = 64

// Summarize implements [matrix.Distributed]. The cells of a column are gathered by all processes that
// hold the column, and the summary is sent to all others.
func (m *Matrix) Summarize(ctx context.Context, rows []int, numbers int, find func(column int, values []float32) []float64) ([][]float64, error) {
	rowsOf := func(p int) (lo, hi int) {
		s, t := share(len(m.cut.Shards)-1, p, m.grid.Rows)
		lo, _ = slices.BinarySearch(rows, m.cut.Shards[s])
		hi, _ = slices.BinarySearch(rows, m.cut.Shards[t])
		return lo, hi
	}
	var found []float64
	for c := m.slices[0]; c < m.slices[1]; c++ {
		for first := m.cut.Slices[c]; first < m.cut.Slices[c+1]; first += stripe {
			width := min(stripe, m.cut.Slices[c+1]-first)
			var mine []float32
			lo, hi := rowsOf(m.grid.at[0])
			for _, i := range rows[lo:hi] {
				s := m.shardOf(i)
				row := m.tiles[s][c-m.slices[0]].(*matrix.Dense).Row(i - m.cut.Shards[m.shards[0]+s])
				mine = append(mine, row[first-m.cut.Slices[c]:][:width]...)
			}
			all, err := gatherAlong(ctx, m.grid.column, func(p int) int {
				lo, hi := rowsOf(p)
				return (hi - lo) * width
			}, mine)
			if err != nil {
				return nil, err
			}
			for j := range width {
				values := make([]float32, len(rows))
				for i := range values {
					values[i] = all[i*width+j]
				}
				list := find(first+j, values)
				if list == nil {
					list = slices.Repeat([]float64{math.NaN()}, numbers)
				}
				found = append(found, list...)
			}
		}
	}
	found, err := gatherAlong(ctx, m.grid.row, func(p int) int { return numbers * m.columnsOf(p) }, found)
	if err != nil {
		return nil, err
	}
	lists := make([][]float64, m.cols)
	for j := range lists {
		if list := found[j*numbers : (j+1)*numbers : (j+1)*numbers]; list[0] == list[0] {
			lists[j] = list
		}
	}
	return lists, nil
}
