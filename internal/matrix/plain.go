package matrix

import (
	"context"
	"unsafe"
)

// Format is the storage format of a cell of a [Plain] matrix.
type Format int

// The formats.
const (
	Float32  Format = iota
	BFloat16        // the upper half of a float32
	Int8
)

// Plain is a Matrix of numbers whose stored cells can be copied, row after row, from memory or from
// a file.
type Plain interface {
	Matrix
	Format() Format
	// Copy returns a function that copies rows lo to hi−1 of the given columns to dst, where a row
	// takes stride cells. The columns are ascending; nil means all. Cells after the last column are
	// not changed. The function is safe for concurrent use.
	Copy(cols []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error
}

var (
	_ Plain = (*Dense)(nil)
	_ Plain = (*rounded[uint16])(nil)
	_ Plain = (*rounded[int8])(nil)
)

// Format implements [Plain].
func (d *Dense) Format() Format { return Float32 }

// Format implements [Plain].
func (d *rounded[V]) Format() Format {
	if d.bytes == 1 {
		return Int8
	}
	return BFloat16
}

// Copy implements [Plain].
func (d *grid[V]) Copy(cols []int) func(ctx context.Context, dst []byte, stride, lo, hi int) error {
	n, one := d.cols, func(to, row []V) { copy(to, row) }
	if cols != nil && len(cols) < d.cols {
		n, one = len(cols), narrowing[V](cols, d.cols)
	}
	return func(ctx context.Context, dst []byte, stride, lo, hi int) error {
		if lo == hi || len(dst) == 0 {
			return ctx.Err()
		}
		to := unsafe.Slice((*V)(unsafe.Pointer(&dst[0])), len(dst)/int(unsafe.Sizeof(*new(V))))
		for i := lo; i < hi; i++ {
			one(to[(i-lo)*stride:][:n], d.row(i))
		}
		return ctx.Err()
	}
}

// FromBytes returns a matrix of the cells in x, in the format of [Plain].
func FromBytes(format Format, rows, cols int, x []byte) Matrix {
	switch format {
	case BFloat16:
		return &rounded[uint16]{gridOf[uint16](rows, cols, x), &bfloat16Products}
	case Int8:
		return &rounded[int8]{gridOf[int8](rows, cols, x), &int8Products}
	}
	return &Dense{gridOf[float32](rows, cols, x)}
}

func gridOf[V float32 | uint16 | int8](rows, cols int, x []byte) grid[V] {
	g := grid[V]{rows: rows, cols: cols, perChunk: max(rows, 1)}
	if rows*cols > 0 {
		g.chunks = [][]V{unsafe.Slice((*V)(unsafe.Pointer(&x[0])), rows*cols)}
	}
	return g
}
