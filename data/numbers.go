package data

import (
	"context"
	"math"
	"slices"

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

// Neighbours is the number of variables that [Dataset.NumbersOf] is best asked for: as many float32
// numbers as fill a cache line.
const Neighbours = 16

// NumbersOf is [Dataset.Numbers] of several variables. The rows of a dense table are read once for
// all of them. The result of an earlier call is overwritten; it may be nil.
func (d *Dataset) NumbersOf(ctx context.Context, earlier [][]float64, vars []int) ([][]float64, error) {
	type column struct {
		at int
		to []float64
	}
	var (
		out     = slices.Grow(earlier[:0], len(vars))[:len(vars)]
		columns []column // those that are read row by row
	)
	rows, byRow := d.numbers.(matrix.RowReader)
	for k, j := range vars {
		if byRow && !d.Columns[j].Text {
			if len(out[k]) != d.rows {
				out[k] = make([]float64, d.rows)
			}
			columns = append(columns, column{d.place(j), out[k]})
			continue
		}
		var err error
		if out[k], err = d.Numbers(ctx, j); err != nil {
			return nil, err
		}
	}
	if len(columns) == 0 {
		return out, nil
	}
	for i := range d.rows {
		row := rows.Row(i)
		for _, c := range columns {
			c.to[i] = float64(row[c.at])
		}
	}
	for k, j := range vars {
		c := &d.Columns[j]
		if !byRow || c.Text {
			continue
		}
		unchanged := c.shift == 0 && c.exponent() == 0
		for i, v := range out[k] {
			if !unchanged || v-v != 0 {
				out[k][i] = c.value(v)
			}
		}
	}
	return out, ctx.Err()
}
