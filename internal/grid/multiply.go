package grid

import (
	"context"

	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/loss"
)

var _ matrix.Whole = (*Matrix)(nil)

// WholeMul implements [matrix.Whole].
func (m *Matrix) WholeMul(ctx context.Context, v []float64) ([]float64, error) {
	o := m.plain(nil)
	o.hand(v, direction)
	by, err := o.scatter(ctx, direction)
	if err != nil {
		return nil, err
	}
	mine, err := o.margins(ctx, o.batches[0].runs, by)
	if err != nil {
		return nil, err
	}
	return gatherAlong(ctx, m.grid.column, m.rowsOf, mine)
}

// WholeMulT implements [matrix.Whole].
func (m *Matrix) WholeMulT(ctx context.Context, r []float64) ([]float64, error) {
	o := m.plain(r)
	_, err := o.pass(ctx, 0, 1, direction, func(r, _, _ []float64, t loss.Target) (float64, float64) {
		copy(r, t.Y)
		return 0, 1
	})
	if err != nil {
		return nil, err
	}
	return o.whole(ctx, grad)
}

// plain returns an objective of all columns as they are stored, with the given number for each row.
func (m *Matrix) plain(r []float64) *Objective {
	all, ones := make([]int, m.cols), make([]float64, m.cols)
	for j := range all {
		all[j], ones[j] = j, 1
	}
	return m.place(&objective.Parts{
		X: m, Scale: ones, Columns: all, Loss: loss.Squared{}, Y: r, Batches: [][][2]int{{{0, m.rows}}}, Final: m.cols, Meter: &objective.Meter{},
	})
}

// rowsOf returns the number of rows that process p of a column of the grid holds.
func (m *Matrix) rowsOf(p int) int {
	s, t := share(len(m.cut.Shards)-1, p, m.grid.Rows)
	return m.cut.Shards[t] - m.cut.Shards[s]
}
