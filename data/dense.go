package data

import (
	"context"
	"fmt"

	"fsa/internal/kernel"
)

// Dense is a matrix of float32 numbers.
type Dense struct {
	grid[float32]
}

var _ Shrinker = (*Dense)(nil)

func newDense(cols int) *Dense { return &Dense{newGrid[float32](cols)} }

// NewDense returns a matrix of rows×cols numbers, row after row in x.
func NewDense(rows, cols int, x []float32) *Dense {
	if len(x) != rows*cols {
		panic(fmt.Sprintf("data: %d numbers for %d×%d", len(x), rows, cols))
	}
	return &Dense{grid[float32]{rows: rows, cols: cols, perChunk: max(rows, 1), chunks: [][]float32{x}}}
}

// Dims implements [Matrix].
func (d *Dense) Dims() (rows, cols int) { return d.rows, d.cols }

// Cells implements [Matrix].
func (d *Dense) Cells() int { return d.rows * d.cols }

// Widths implements [Matrix].
func (d *Dense) Widths() []int { return nil }

// BlockRows implements [Matrix].
func (d *Dense) BlockRows() int { return blockRows(4 * d.cols) }

// Slice implements [Matrix].
func (d *Dense) Slice(_ context.Context, lo, hi int) (Rows, error) {
	return denseRows{d, lo, hi}, nil
}

// Select implements [Matrix].
func (d *Dense) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	g, err := d.pick(ctx, rows, vars)
	return &Dense{g}, err
}

// Shrink implements [Shrinker].
func (d *Dense) Shrink(vars []int) { d.shrink(vars) }

type denseRows struct {
	d      *Dense
	lo, hi int
}

func (s denseRows) Mul(z, beta []float64) {
	s.d.stretches(s.lo, s.hi, func(at, rows int, x []float32) { kernel.Mul(z[at:at+rows], x, beta) })
}

func (s denseRows) MulT(g, r []float64) {
	s.d.stretches(s.lo, s.hi, func(at, rows int, x []float32) { kernel.MulT(g, x, r[at:at+rows]) })
}
