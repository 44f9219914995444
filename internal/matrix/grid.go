package matrix

import (
	"context"
	"unsafe"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
)

// grid holds cells row after row, in chunks of rows, so it can grow without copying and without
// knowing its final height.
type grid[V float32 | uint16 | int8] struct {
	rows, cols int
	perChunk   int // number of rows per chunk, except the last
	chunks     [][]V
}

// chunkCells is the size of a chunk: large enough that there are few chunks, small enough that the
// unused end of the last one does not matter.
const chunkCells = 2 << 20

// newGrid divides chunks at boundaries of blocks of rows, if a chunk has several blocks: a block in
// two chunks is multiplied more slowly.
func newGrid[V float32 | uint16 | int8](cols int) grid[V] {
	rows := max(1, chunkCells/max(cols, 1))
	var cell V
	if block := BlockRows(cols * int(unsafe.Sizeof(cell))); rows > block {
		rows -= rows % block
	}
	return grid[V]{cols: cols, perChunk: rows}
}

// chunked returns the grid of existing cells, row after row. They are not copied.
func chunked[V float32 | uint16 | int8](rows, cols int, cells []V) grid[V] {
	d := newGrid[V](cols)
	d.rows = rows
	for lo := 0; lo < rows; lo += d.perChunk {
		hi := min(lo+d.perChunk, rows) * cols
		d.chunks = append(d.chunks, cells[lo*cols:hi:hi])
	}
	return d
}

// Dims implements [Matrix].
func (d *grid[V]) Dims() (rows, cols int) { return d.rows, d.cols }

// Cells implements [Matrix].
func (d *grid[V]) Cells() int { return d.rows * d.cols }

// Widths implements [Matrix].
func (d *grid[V]) Widths() []int { return nil }

// grow appends a row of zeros and returns it.
func (d *grid[V]) grow() []V {
	if d.rows == len(d.chunks)*d.perChunk {
		d.chunks = append(d.chunks, nil)
	}
	last := &d.chunks[len(d.chunks)-1]
	if cap(*last) < len(*last)+d.cols {
		// The first chunk doubles up to its full size, so that a small table stays small; later
		// chunks have full size from the start.
		size := d.perChunk * d.cols
		if len(d.chunks) == 1 {
			size = min(size, max(2*len(*last), 16*d.cols))
		}
		bigger := make([]V, len(*last), size)
		copy(bigger, *last)
		*last = bigger
	}
	n := len(*last)
	*last = (*last)[:n+d.cols]
	d.rows++
	return (*last)[n:]
}

// row returns row i.
func (d *grid[V]) row(i int) []V {
	at := i % d.perChunk * d.cols
	return d.chunks[i/d.perChunk][at : at+d.cols : at+d.cols]
}

// pick returns a copy of the given rows and columns; nil means all.
func (d *grid[V]) pick(ctx context.Context, rows, cols []int) (grid[V], error) {
	rows = orAll(rows, d.rows)
	m := d.cols
	if cols != nil {
		m = len(cols)
	}
	to := newGrid[V](m)
	to.rows = len(rows)
	for lo := 0; lo < len(rows); lo += to.perChunk {
		to.chunks = append(to.chunks, make([]V, min(to.perChunk, len(rows)-lo)*m))
	}
	n := narrowing[V](cols, d.cols)
	const stripe = 256 // number of rows per thread
	parallel.Each((len(rows)+stripe-1)/stripe, func(s int) {
		if ctx.Err() != nil {
			return
		}
		for i := s * stripe; i < min((s+1)*stripe, len(rows)); i++ {
			src, dst := d.row(rows[i]), to.row(i)
			if cols == nil {
				copy(dst, src)
				continue
			}
			n(dst, src)
		}
	})
	return to, ctx.Err()
}

// narrowing returns a function that sets dst to the given columns of a row of m cells. dst may be
// the beginning of the row, or precede it.
func narrowing[V any](cols []int, m int) func(dst, row []V) {
	const lane = 16 // number of cells that are compared together; if far fewer are selected, each is copied separately
	if f, ok := any(kernel.NewMask(cols, m).Compress).(func(dst, row []V)); ok && lane*len(cols) > m {
		return f
	}
	return func(dst, row []V) {
		dst = dst[:len(cols)]
		for k, j := range cols {
			dst[k] = row[j]
		}
	}
}

// runs calls f for every run of rows lo to hi−1 in one chunk; at is the index of its first row,
// counted from lo.
func (d *grid[V]) runs(lo, hi int, f func(at, rows int, cells []V)) {
	for i := lo; i < hi; {
		first := i % d.perChunk
		n := min(hi-i, d.perChunk-first)
		f(i-lo, n, d.chunks[i/d.perChunk][first*d.cols:(first+n)*d.cols])
		i += n
	}
}

// head returns the cells of rows lo to hi−1, up to the end of the chunk that holds the first of
// them.
func (d *grid[V]) head(lo, hi int) []V {
	c := lo / d.perChunk
	first := c * d.perChunk
	return d.chunks[c][(lo-first)*d.cols : (min(hi, first+d.perChunk)-first)*d.cols]
}

// spareRoom is the largest capacity of a chunk, relative to its cells, before it is copied to a
// smaller one. So memory shrinks with the table. A smaller factor would not be worthwhile, because
// new memory must be cleared first.
const spareRoom = 4

// shrink drops all columns except the given ones, which are ascending. Rows are compacted in place.
func (d *grid[V]) shrink(cols []int) {
	n := narrowing[V](cols, d.cols)
	parallel.Each(len(d.chunks), func(c int) {
		chunk := d.chunks[c]
		rows := len(chunk) / max(d.cols, 1)
		to := chunk[:rows*len(cols)]
		if spareRoom*len(to) < cap(chunk) {
			to = make([]V, len(to))
		}
		for i := range rows {
			n(to[i*len(cols):(i+1)*len(cols)], chunk[i*d.cols:(i+1)*d.cols])
		}
		d.chunks[c] = to
	})
	d.cols = len(cols)
}
