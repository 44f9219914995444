package matrix

import "unsafe"

// Format is how a cell of a [Plain] matrix is stored.
type Format int

// The formats.
const (
	Float32  Format = iota
	BFloat16        // the upper half of a float32
	Int8
)

// Plain is a Matrix of numbers whose cells lie in memory row after row, so that they can
// be copied as they are.
type Plain interface {
	Matrix
	Format() Format
	// Chunks calls f for all rows, some at a time: the first of them, how many there are, and their
	// cells, which must not be changed.
	Chunks(f func(first, rows int, cells []byte) error) error
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

// Chunks implements [Plain].
func (d *grid[V]) Chunks(f func(first, rows int, cells []byte) error) error {
	var err error
	d.runs(0, d.rows, func(at, rows int, x []V) {
		if err == nil && len(x) > 0 {
			err = f(at, rows, unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), len(x)*int(unsafe.Sizeof(x[0]))))
		}
	})
	return err
}

// FromBytes returns a matrix of cells that lie in x as [Plain] has them.
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
