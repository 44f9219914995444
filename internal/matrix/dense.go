package matrix

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

var (
	_ Shrinker  = (*Dense)(nil)
	_ Several   = (*Dense)(nil)
	_ Numbers   = (*Dense)(nil)
	_ ByRow     = (*Dense)(nil)
	_ RowReader = (*Dense)(nil)
)

// GrowDense returns an empty matrix that grows by [Dense.Grow].
func GrowDense(cols int) *Dense { return &Dense{newGrid[float32](cols)} }

// MakeDense returns a matrix of zeros, with the same chunks as one that grew.
func MakeDense(rows, cols int) *Dense {
	d := GrowDense(cols)
	d.rows = rows
	for left := rows; left > 0; left -= d.perChunk {
		d.chunks = append(d.chunks, make([]float32, min(left, d.perChunk)*cols))
	}
	return d
}

// Write calls do for ranges of rows, in parallel, to set them.
func (d *Dense) Write(ctx context.Context, do func(lo, rows int, x []float32) error) error {
	return parallel.Do(ctx, 0, len(d.chunks), func(_, c int) error {
		x := d.chunks[c]
		return do(c*d.perChunk, len(x)/max(d.cols, 1), x)
	})
}

// NewDense returns a matrix of rows×cols numbers, row after row in x, which is not copied. It has
// the same chunks as a matrix that grew, so sums of the same numbers have the same bits.
func NewDense(rows, cols int, x []float32) *Dense {
	if len(x) != rows*cols {
		panic(fmt.Sprintf("matrix: %d numbers for %d×%d", len(x), rows, cols))
	}
	return &Dense{chunked(rows, cols, x)}
}

// BlockRows implements [Matrix].
func (d *Dense) BlockRows() int { return BlockRows(4 * d.cols) }

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

// Grow appends a row of zeros and returns it. The other rows may move.
func (d *Dense) Grow() []float32 { return d.grow() }

// Reserve allocates the first chunk of an empty matrix for the given number of rows.
func (d *Dense) Reserve(rows int) {
	if len(d.chunks) == 0 && rows > 0 {
		d.chunks = [][]float32{make([]float32, 0, min(rows, d.perChunk)*d.cols)}
	}
}

// Row implements [RowReader].
func (d *Dense) Row(i int) []float32 { return d.row(i) }

// SetColumns sets a few neighbouring columns in n rows; first is the first column. x has their
// cells, column after column.
func (d *Dense) SetColumns(row, n, first, columns int, x []float32) {
	const few = 64 // number of rows whose cache lines and addresses stay cached until they are complete
	d.runs(row, row+n, func(at, rows int, cells []float32) {
		for lo := 0; lo < rows && columns > 0; lo += few {
			to, next := cells[lo*d.cols+first:], min(lo+few, rows)
			if next < rows {
				kernel.Fetch(cells[next*d.cols+first:], d.cols, columns, min(few, rows-next))
			}
			kernel.FromColumns(to, d.cols, x[at+lo:], n, columns, next-lo)
		}
	})
}

// ScaleColumn multiplies a column by a factor, in the first rows.
func (d *Dense) ScaleColumn(rows, column int, factor float32) {
	for i := range rows {
		d.row(i)[column] *= factor
	}
}

// ScaleColumns multiplies each column by a factor in the first rows.
func (d *Dense) ScaleColumns(rows int, factor []float32) {
	for i := range rows {
		row := d.row(i)
		for j, f := range factor {
			row[j] *= f
		}
	}
}

// IsSparse implements [Numbers].
func (d *Dense) IsSparse() bool { return false }

// Measure implements [Numbers].
func (d *Dense) Measure(ctx context.Context, all []Moments, weight func(row int) float64) error {
	d.runs(0, d.rows, func(at, rows int, x []float32) { AddRows(all, at, rows, x, weight) })
	return ctx.Err()
}

// Fill implements [Numbers].
func (d *Dense) Fill(ctx context.Context, with []float32, discard bool) (Matrix, error) {
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
					row[j] = with[j]
				}
			}
		}
		return nil
	})
}

// Vectors implements [ByRow].
func (d *Dense) Vectors(scale, offset []float64) *Vectors {
	v := &Vectors{Count: d.rows, Length: d.cols, value: make([]float64, d.rows*d.cols)}
	for i := range d.rows {
		to := v.value[i*d.cols : (i+1)*d.cols]
		for j, c := range d.row(i) {
			to[j] = float64(c)*scale[j] + offset[j]
		}
	}
	return v
}

// several implements [Several].
func (d *Dense) several() {}

type denseRows struct {
	d      *Dense
	lo, hi int
}

func (s denseRows) Mul(z, beta []float64) {
	s.d.runs(s.lo, s.hi, func(at, rows int, x []float32) { kernel.Mul(z[at:at+rows], x, beta) })
}

func (s denseRows) MulT(g, r []float64) {
	s.d.runs(s.lo, s.hi, func(at, rows int, x []float32) { kernel.MulT(g, x, r[at:at+rows]) })
}

// MulSeveral implements [SeveralRows].
func (s denseRows) MulSeveral(z, beta []float64, vectors int) {
	n := s.hi - s.lo
	s.d.runs(s.lo, s.hi, func(at, rows int, x []float32) { kernel.MulSeveral(z[at:], x, beta, rows, vectors, n) })
}

// MulTSeveral implements [SeveralRows].
func (s denseRows) MulTSeveral(g, r []float64, vectors int) {
	n := s.hi - s.lo
	s.d.runs(s.lo, s.hi, func(at, rows int, x []float32) { kernel.MulTSeveral(g, x, r[at:], rows, vectors, n) })
}
