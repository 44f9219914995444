package data

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"unsafe"

	"fsa/internal/kernel"
)

// File is a matrix of float32 numbers that stays in a file, row after row, as
// the machine holds them in memory. Rows are read in blocks each time they are
// needed, the next block while one is used. A selection of variables that fits
// into memory moves there.
type File struct {
	src    io.ReaderAt
	offset int64
	rows   int
	width  int       // numbers in a row of the file
	live   []int     // columns that are in the matrix; nil means all
	fill   []float32 // stands for a missing number of each column; nil without any
	memory int64     // bytes that a selection may take in memory
	ahead  *readAhead
	read   *atomic.Int64
}

var _ Mover = (*File)(nil)

// fileBlockBytes is how much is read at once: enough for a disk to be busy.
const fileBlockBytes = 8 << 20

// NewFile returns the matrix of rows×cols numbers that begin at offset in src.
// A selection of up to memory bytes moves into memory.
func NewFile(src io.ReaderAt, offset int64, rows, cols int, memory int64) *File {
	return &File{src: src, offset: offset, rows: rows, width: cols, memory: memory, ahead: newReadAhead(), read: new(atomic.Int64)}
}

// Dims implements [Matrix].
func (f *File) Dims() (rows, cols int) {
	if f.live != nil {
		return f.rows, len(f.live)
	}
	return f.rows, f.width
}

// Widths implements [Matrix].
func (f *File) Widths() []int { return nil }

// Cells implements [Matrix]. Whole rows are read, whatever is used of them.
func (f *File) Cells() int {
	rows, cols := f.Dims()
	return rows * cols
}

// BlockRows implements [Matrix].
func (f *File) BlockRows() int { return max(1, fileBlockBytes/(4*f.width)) }

// BytesRead returns how much was read so far.
func (f *File) BytesRead() int64 { return f.read.Load() }

// Slice implements [Matrix].
func (f *File) Slice(_ context.Context, lo, hi int) (Rows, error) {
	buf, err := f.ahead.take(lo, hi, f.load)
	if err != nil {
		return nil, fmt.Errorf("data: rows %d to %d: %w", lo, hi-1, err)
	}
	if next := min(2*hi-lo, f.rows); next > hi {
		f.ahead.begin(hi, next, f.load)
	}
	x := floats(buf)
	_, cols := f.Dims()
	if f.live != nil {
		n := 0
		for i := range hi - lo {
			row := x[i*f.width : (i+1)*f.width]
			for _, j := range f.live { // ascending, so nothing is overwritten too soon
				x[n] = row[j]
				n++
			}
		}
	}
	x = x[:(hi-lo)*cols]
	if f.fill != nil {
		for i := range x {
			if x[i] != x[i] {
				x[i] = f.fill[i%cols]
			}
		}
	}
	return &fileRows{x: x, buf: buf, from: f.ahead}, nil
}

// load reads rows into buf.
func (f *File) load(buf []byte, lo, hi int) ([]byte, error) {
	n := (hi - lo) * f.width * 4
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	if buf = buf[:n]; n == 0 {
		return buf, nil
	}
	f.read.Add(int64(n))
	if _, err := f.src.ReadAt(buf, f.offset+int64(lo)*int64(f.width)*4); err != nil {
		return nil, err
	}
	return buf, nil
}

// Select implements [Matrix]. Rows can be chosen only if the result fits into
// memory.
func (f *File) Select(ctx context.Context, rows, vars []int) (Matrix, error) {
	to := *f
	if vars != nil {
		to.live, to.fill = make([]int, len(vars)), nil
		for k, v := range vars {
			to.live[k] = v
			if f.live != nil {
				to.live[k] = f.live[v]
			}
			if f.fill != nil {
				to.fill = append(to.fill, f.fill[v])
			}
		}
	}
	if _, cols := to.Dims(); !f.Moves(cols) {
		if rows != nil {
			return nil, fmt.Errorf("data: %d×%d numbers do not fit into memory, so rows cannot be chosen", f.rows, cols)
		}
		return &to, nil
	}
	m, err := to.dense(ctx)
	if err != nil || rows == nil {
		return m, err
	}
	return m.Select(ctx, rows, nil)
}

// Moves implements [Mover]: what fits into memory moves there.
func (f *File) Moves(vars int) bool { return 4*int64(f.rows)*int64(vars) <= f.memory }

// Fits reports whether all of it fits into memory.
func (f *File) Fits() bool {
	_, cols := f.Dims()
	return f.Moves(cols)
}

// dense reads everything into memory.
func (f *File) dense(ctx context.Context) (*Dense, error) {
	_, cols := f.Dims()
	m := newDense(cols)
	for lo := 0; lo < f.rows; lo += f.BlockRows() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+f.BlockRows(), f.rows)
		r, err := f.Slice(ctx, lo, hi)
		if err != nil {
			return nil, err
		}
		rows := r.(*fileRows)
		for i := range hi - lo {
			copy(m.grow(), rows.x[i*cols:(i+1)*cols])
		}
		rows.Release()
	}
	return m, nil
}

// floats returns bytes as the numbers that they hold.
func floats(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// fileRows are rows that were read.
type fileRows struct {
	x    []float32
	buf  []byte
	from *readAhead
}

// Mul implements [Rows].
func (r *fileRows) Mul(z, beta []float64) { kernel.Mul(z, r.x, beta) }

// MulT implements [Rows].
func (r *fileRows) MulT(g, res []float64) { kernel.MulT(g, r.x, res) }

// Release implements [Releaser].
func (r *fileRows) Release() {
	r.from.give(r.buf)
	r.x, r.buf = nil, nil
}
