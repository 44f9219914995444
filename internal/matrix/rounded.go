package matrix

import (
	"context"
	"math"

	"fsa/internal/kernel"
)

// rounded is a matrix of numbers with fewer bits than a float32: bfloat16 in a uint16, or int8.
type rounded[V uint16 | int8] struct {
	grid[V]
	*products[V]
}

var (
	_ Shrinker = (*rounded[uint16])(nil)
	_ Shrinker = (*rounded[int8])(nil)
)

// products holds the kernels for cells of one type.
type products[V uint16 | int8] struct {
	bytes int // bytes per cell
	mul   func(z []float64, x []V, beta []float64)
	mulT  func(g []float64, x []V, r []float64)
	value func(cell V) float32
}

var (
	bfloat16Products = products[uint16]{2, kernel.MulBFloat16, kernel.MulTBFloat16, func(cell uint16) float32 { return math.Float32frombits(uint32(cell) << 16) }}
	int8Products     = products[int8]{1, kernel.MulInt8, kernel.MulTInt8, func(cell int8) float32 { return float32(cell) }}
)

// BlockRows implements [Matrix].
func (d *rounded[V]) BlockRows() int { return BlockRows(d.bytes * d.cols) }

// Slice implements [Matrix].
func (d *rounded[V]) Slice(_ context.Context, lo, hi int) (Rows, error) {
	return roundedRows[V]{d, lo, hi}, nil
}

// Select implements [Matrix].
func (d *rounded[V]) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	g, err := d.pick(ctx, rows, vars)
	return &rounded[V]{g, d.products}, err
}

// Dense returns the same cells as float32, which represents them exactly.
func (d *rounded[V]) Dense() *Dense {
	cells := make([]float32, 0, d.rows*d.cols)
	for i := range d.rows {
		for _, cell := range d.row(i) {
			cells = append(cells, d.value(cell))
		}
	}
	return NewDense(d.rows, d.cols, cells)
}

// Shrink implements [Shrinker].
func (d *rounded[V]) Shrink(vars []int) { d.shrink(vars) }

type roundedRows[V uint16 | int8] struct {
	d      *rounded[V]
	lo, hi int
}

func (s roundedRows[V]) Mul(z, beta []float64) {
	s.d.runs(s.lo, s.hi, func(at, rows int, x []V) { s.d.mul(z[at:at+rows], x, beta) })
}

func (s roundedRows[V]) MulT(g, r []float64) {
	s.d.runs(s.lo, s.hi, func(at, rows int, x []V) { s.d.mulT(g, x, r[at:at+rows]) })
}
