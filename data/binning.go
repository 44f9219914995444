package data

import (
	"context"
	"fmt"

	"fsa/internal/matrix"
)

// binnedPart returns the matrix of the number variables in bins and sets their
// scales, offsets and knots.
func (d *Dataset) binnedPart(ctx context.Context, g *Design, numbers []int, discard bool) (matrix.Matrix, error) {
	from, ok := d.numbers.(matrix.Binner)
	if !ok {
		return nil, fmt.Errorf("data: piecewise-linear responses need the table in memory, and %s does not fit", d.Name)
	}
	if m, ok := from.(matrix.RowReader); ok && g.spacing != SpacingEven {
		var err error
		if g.knots, err = d.knots(ctx, m, numbers, g.Bins); err != nil {
			return nil, err
		}
	}
	b := &matrix.Binning{
		Bins: g.Bins, Columns: make([]int, len(numbers)), Missing: make([]bool, len(numbers)), Range: make([][2]float64, len(numbers)),
		Position: func(v int, x float32) float64 {
			c := &d.Columns[numbers[v]]
			if knots := g.Knots(v); knots != nil {
				bin, alpha := knots.Locate(c.value(float64(x)))
				return (float64(bin) + alpha) / float64(g.Bins)
			}
			return Place(c.value(float64(x)), c.Min, c.Max)
		},
		// The description of a file may not tell that some are missing.
		Unexpected: func(v int) error {
			return &Error{File: d.Name, Column: d.ColumnName(numbers[v]), Msg: "a number is missing where the file says that none is: it is damaged; convert the table again"}
		},
	}
	for v, j := range numbers {
		c := &d.Columns[j]
		b.Columns[v], b.Missing[v], b.Range[v] = d.place(j), c.Missing > 0, [2]float64{c.Min, c.Max}
	}
	x, offset, err := from.Bin(ctx, b, discard)
	if err != nil {
		return nil, err
	}
	_, cols := x.Dims()
	if offset == nil {
		offset = make([]float64, cols)
	}
	g.Scale, g.Offset = make([]float64, cols), offset
	for p := range g.Scale {
		g.Scale[p] = 1
	}
	return x, nil
}
