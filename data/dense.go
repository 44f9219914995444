package data

import (
	"context"
	"fmt"
	"slices"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
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

// isSparse implements [numbers].
func (d *Dense) isSparse() bool { return false }

// measure implements [numbers].
func (d *Dense) measure(ctx context.Context, all []moments, weight func(row int) float64) error {
	d.stretches(0, d.rows, func(at, rows int, x []float32) { addRows(all, at, rows, x, weight) })
	return ctx.Err()
}

// fill implements [numbers].
func (d *Dense) fill(ctx context.Context, mean []float32, discard bool) (Matrix, error) {
	to := d
	if !discard {
		to = &Dense{d.grid}
		to.chunks = make([][]float32, len(d.chunks))
	}
	return to, parallel.Do(ctx, 0, len(d.chunks), func(_, c int) error {
		to.chunks[c] = owned(d.chunks[c], discard)
		for row := range slices.Chunk(to.chunks[c], d.cols) {
			for j, v := range row {
				if v != v {
					row[j] = mean[j]
				}
			}
		}
		return nil
	})
}

// bin implements [numbers].
func (d *Dense) bin(ctx context.Context, b *binning, discard bool) (Matrix, error) {
	if err := b.knots(ctx, d); err != nil {
		return nil, err
	}
	g, err := converted(ctx, d, len(b.numbers), discard, func(to []uint16, from []float32) (err error) {
		for k, j := range b.numbers {
			if to[k], err = b.code(from[b.place(j)], k); err != nil {
				return err
			}
		}
		return nil
	})
	return &Binned{g, b.bins}, err
}

// vectors returns the rows as they stand in a design.
func (d *Dense) vectors(g *Design) *Vectors {
	v := &Vectors{Count: d.rows, Length: d.cols, value: make([]float64, d.rows*d.cols)}
	for i := range d.rows {
		to := v.value[i*d.cols : (i+1)*d.cols]
		for j, c := range d.row(i) {
			to[j] = float64(c)*g.Scale[j] + g.Offset[j]
		}
	}
	return v
}

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
