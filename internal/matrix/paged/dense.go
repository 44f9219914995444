package paged

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"fsa/internal/matrix"
)

// Dense is a matrix of float32 numbers that stays in a file. Its rows are read
// in pages each time they are needed, the next page while one is used. A
// selection of variables that fits into memory moves there.
type Dense struct {
	src    Source
	rows   int
	tile   int // rows per tile
	part   *selection
	memory int64 // memory that it may use, in bytes
	pages  *pages[[]float32]
	spare  *sync.Pool // buffers of numbers, one per column
	read   *atomic.Int64
}

// selection is the part of its source that a matrix has.
type selection struct {
	cols []int
	fill []float32 // replacement for a missing number, per column; nil if there are none
	rows int       // rows per page
}

var _ matrix.Paged = (*Dense)(nil)

// leastRoom is the memory that pages may always use, however small the limit is.
const leastRoom = 64 << 20

// NewPlain returns the matrix of rows×cols numbers that begin at offset in src, row after row, in
// the machine's format. A selection that fits into memory bytes is read into memory.
func NewPlain(src io.ReaderAt, offset int64, rows, cols int, memory int64) *Dense {
	all := make([]int, cols)
	for j := range all {
		all[j] = j
	}
	return NewDense(&plain{src, offset, rows, cols, &sync.Pool{}}, all, memory)
}

// NewDense returns the matrix of the given columns of a source, which are ascending. A selection
// that fits into memory bytes is read into memory.
func NewDense(src Source, cols []int, memory int64) *Dense {
	rows, _ := src.Dims()
	f := &Dense{src: src, rows: rows, tile: src.TileRows(), memory: memory, pages: newPages[[]float32](), spare: &sync.Pool{}, read: new(atomic.Int64)}
	f.part = &selection{cols: cols, rows: f.pageRows(len(cols))}
	f.pages.limit(f.holds())
	return f
}

// pageRows returns the number of rows per page, given the number of columns: the preferred number
// of the source, or fewer if half of the memory holds fewer.
func (f *Dense) pageRows(cols int) int {
	rows := f.src.UnitRows()
	room := max(f.memory/2, leastRoom) / fewestPages
	for rows > f.tile && 4*int64(rows)*int64(cols) > room {
		rows = (rows/f.tile + 1) / 2 * f.tile
	}
	return rows
}

// holds returns how many pages fit into half of the memory.
func (f *Dense) holds() int {
	page := 4 * int64(f.part.rows) * int64(max(len(f.part.cols), 1))
	return int(min(max(max(f.memory/2, leastRoom)/page, fewestPages), int64(mostPages())))
}

// Dims implements [matrix.Matrix].
func (f *Dense) Dims() (rows, cols int) { return f.rows, len(f.part.cols) }

// Widths implements [matrix.Matrix].
func (f *Dense) Widths() []int { return nil }

// Cells implements [matrix.Matrix].
func (f *Dense) Cells() int { return f.rows * len(f.part.cols) }

// BlockRows implements [matrix.Matrix]. A tile is used as a whole.
func (f *Dense) BlockRows() int {
	if f.tile > 1 {
		return f.tile
	}
	return matrix.BlockRows(4 * len(f.part.cols))
}

// BytesRead implements [matrix.Paged].
func (f *Dense) BytesRead() int64 { return f.read.Load() }

// Slice implements [matrix.Matrix].
func (f *Dense) Slice(ctx context.Context, lo, hi int) (matrix.Rows, error) {
	r := &pageRows[[]float32]{from: f.pages}
	size := f.part.rows
	for i := lo; i < hi; {
		at := i / size
		x, err := f.pages.acquire(ctx, f.part, at, len(r.held) > 0, f.loader(at))
		if err != nil {
			r.Release()
			return nil, err
		}
		end := min(hi, (at+1)*size)
		r.add(x, end-i, &tiles{
			x: x.rows, cols: len(f.part.cols), rows: min(size, f.rows-at*size), tile: f.tile,
			lo: i - at*size, hi: end - at*size, spare: f.spare,
		})
		if i = end; 2*(i-at*size) >= size && (at+1)*size < f.rows {
			f.pages.prefetch(f.part, at+1, f.loader(at+1))
		}
	}
	return r, nil
}

// loader returns a function that reads page at.
func (f *Dense) loader(at int) func([]float32) ([]float32, error) {
	return func(room []float32) ([]float32, error) {
		lo, hi := at*f.part.rows, min((at+1)*f.part.rows, f.rows)
		cols := len(f.part.cols)
		n := (hi - lo) * cols
		if cap(room) < n || cap(room) > 2*f.part.rows*cols { // reusing a buffer that is far too large would waste memory
			room = make([]float32, n, min(f.part.rows, f.rows)*cols)
		}
		return room[:n], f.readInto(room[:n], lo, hi)
	}
}

// readInto reads rows, and fills in missing values.
func (f *Dense) readInto(x []float32, lo, hi int) error {
	read, err := f.src.ReadRows(x, f.part.cols, lo, hi)
	f.read.Add(read)
	if f.part.fill != nil && err == nil {
		all := tiles{x: x, cols: len(f.part.cols), rows: hi - lo, tile: f.tile, hi: hi - lo}
		all.fill(f.part.fill)
	}
	return err
}

// Select implements [matrix.Matrix]. Rows can be chosen only if the result fits into
// memory.
func (f *Dense) Select(ctx context.Context, rows, vars []int) (matrix.Matrix, error) {
	to := f
	if vars != nil {
		// After a selection, the matrix it was made from is usually no longer used.
		to = f.narrowed(vars)
		f.pages.clear()
	}
	if !to.Fits() {
		if rows != nil {
			return nil, fmt.Errorf("paged: %d×%d numbers do not fit into memory, so rows cannot be chosen", f.rows, len(to.part.cols))
		}
		return to, nil
	}
	m, err := to.Load(ctx)
	if err != nil || rows == nil {
		return m, err
	}
	return m.Select(ctx, rows, nil)
}

// narrowed returns the matrix of the given variables, in the file. Pages of another size have their
// own buffers.
func (f *Dense) narrowed(vars []int) *Dense {
	to := *f
	to.part = &selection{cols: make([]int, len(vars)), rows: f.pageRows(len(vars))}
	for k, v := range vars {
		to.part.cols[k] = f.part.cols[v]
		if f.part.fill != nil {
			to.part.fill = append(to.part.fill, f.part.fill[v])
		}
	}
	to.pages = newPages[[]float32]()
	to.pages.limit(to.holds())
	return &to
}

// IsSparse implements [matrix.Numbers].
func (f *Dense) IsSparse() bool { return false }

// Measure implements [matrix.Numbers].
func (f *Dense) Measure(ctx context.Context, all []matrix.Moments, weight func(row int) float64) error {
	return f.each(ctx, func(at int, t *tiles) { matrix.AddRows(all, at, t.rows, t.rowMajor(), weight) })
}

// Fill implements [matrix.Numbers]: values are filled in when rows are read.
func (f *Dense) Fill(ctx context.Context, with []float32, _ bool) (matrix.Matrix, error) {
	to, part := *f, *f.part
	part.fill = with
	to.part = &part
	return &to, ctx.Err()
}

// Sequential is for [matrix.Sequential]: files are read ahead.
func (f *Dense) Sequential() bool { return true }

// FreeDrop is for [matrix.FreeDrop]: the rest is cheaper to read, and is read into memory once it
// fits.
func (f *Dense) FreeDrop() bool { return true }

// Fits implements [matrix.Paged]. It accounts for the pages through which the table is read.
func (f *Dense) Fits() bool {
	row := 4 * int64(len(f.part.cols))
	pages := row * int64(min(f.rows, f.holds()*f.part.rows))
	return row*int64(f.rows)+max(pages-leastRoom, 0) <= f.memory
}

// Load implements [matrix.Paged]. Numbers in the machine's format are read directly to their final
// location.
func (f *Dense) Load(ctx context.Context) (matrix.Numbers, error) {
	if f.tile == 1 {
		f.pages.clear()
		m := matrix.MakeDense(f.rows, len(f.part.cols))
		return m, m.Write(ctx, func(first, rows int, x []float32) error {
			for lo := 0; lo < rows; lo += f.part.rows {
				hi := min(lo+f.part.rows, rows)
				if err := f.readInto(x[lo*len(f.part.cols):hi*len(f.part.cols)], first+lo, first+hi); err != nil {
					return err
				}
			}
			return nil
		})
	}
	m := matrix.GrowDense(len(f.part.cols))
	err := f.each(ctx, func(_ int, t *tiles) {
		first, _ := m.Dims()
		for range t.rows {
			m.Grow()
		}
		rows := make([][]float32, t.rows)
		for i := range rows {
			rows[i] = m.Row(first + i)
		}
		t.copyTo(rows)
	})
	f.pages.clear()
	return m, err
}

// each calls do for all rows in order, a page at a time; at is the first row of the page.
func (f *Dense) each(ctx context.Context, do func(at int, t *tiles)) error {
	for lo := 0; lo < f.rows; lo += f.part.rows {
		r, err := f.Slice(ctx, lo, min(lo+f.part.rows, f.rows))
		if err != nil {
			return err
		}
		do(lo, r.(*pageRows[[]float32]).parts[0].(*tiles))
		matrix.Release(r)
	}
	return nil
}
