package data

import (
	"context"
	"math"

	"fsa/internal/matrix"
)

// Numbers returns the values of variable j in the units of the input, with NaN for missing values.
// For a text variable they are indices in [Dataset.Categories].
func (d *Dataset) Numbers(ctx context.Context, j int) ([]float64, error) {
	var (
		x      matrix.Matrix = d.numbers
		levels []float64     // the value of each column of x
	)
	c := &d.Columns[j]
	if c.Text {
		x = d.texts
	}
	x, err := x.Select(ctx, nil, []int{d.place(j)})
	if err != nil {
		return nil, err
	}
	_, cols := x.Dims()
	for i := range cols {
		levels = append(levels, float64(i))
	}
	if !c.Text {
		levels[0] = 1
	}
	out := make([]float64, d.rows)
	step := x.BlockRows()
	for lo := 0; lo < d.rows; lo += step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+step, d.rows)
		b, err := x.Slice(ctx, lo, hi)
		if err != nil {
			return nil, err
		}
		b.Mul(out[lo:hi], levels)
		matrix.Release(b)
	}
	known := len(d.Categories(j))
	for i, v := range out {
		switch {
		case !c.Text && v == v:
			out[i] = c.value(v)
		case c.Text && int(v) >= known:
			out[i] = math.NaN()
		}
	}
	return out, nil
}
