package matrix

import (
	"context"

	"fsa/internal/parallel"
)

// csr holds the nonzero cells of a table, row after row, in chunks of rows. Offsets count from the
// start of a chunk.
type csr[V float32 | uint16] struct {
	rows, cols int
	cells      int
	chunks     []csrChunk[V]
}

// csrChunk holds rows: the cells of row i are index[start[i]:start[i+1]].
type csrChunk[V float32 | uint16] struct {
	start []int
	index []uint32
	value []V
}

// csrRows is the number of rows of every chunk but the last. A chunk grows by appending, and only
// the last one has spare capacity.
const csrRows = 8192

// Dims implements [Matrix].
func (s *csr[V]) Dims() (rows, cols int) { return s.rows, s.cols }

// Cells implements [Matrix].
func (s *csr[V]) Cells() int { return s.cells }

// Widths implements [Matrix].
func (s *csr[V]) Widths() []int { return nil }

// add appends a row; the slices are copied.
func (s *csr[V]) add(index []uint32, value []V) {
	if s.rows%csrRows == 0 {
		s.trim()
		s.chunks = append(s.chunks, s.room())
	}
	c := &s.chunks[len(s.chunks)-1]
	c.index = append(c.index, index...)
	c.value = append(c.value, value...)
	c.start = append(c.start, len(c.index))
	s.rows++
	s.cells += len(index)
}

// room returns an empty chunk with slightly more capacity than the last one uses.
func (s *csr[V]) room() csrChunk[V] {
	if len(s.chunks) == 0 {
		return csrChunk[V]{start: []int{0}}
	}
	last := &s.chunks[len(s.chunks)-1]
	cells := len(last.index) + len(last.index)/16
	return csrChunk[V]{
		start: append(make([]int, 0, len(last.start)), 0),
		index: make([]uint32, 0, cells),
		value: make([]V, 0, cells),
	}
}

// trim releases the spare capacity of the last chunk.
func (s *csr[V]) trim() {
	if len(s.chunks) == 0 {
		return
	}
	c := &s.chunks[len(s.chunks)-1]
	*c = csrChunk[V]{
		start: append(make([]int, 0, len(c.start)), c.start...),
		index: append(make([]uint32, 0, len(c.index)), c.index...),
		value: append(make([]V, 0, len(c.value)), c.value...),
	}
}

// row returns the cells of row i.
func (s *csr[V]) row(i int) ([]uint32, []V) {
	c := &s.chunks[i/csrRows]
	lo, hi := c.start[i%csrRows], c.start[i%csrRows+1]
	return c.index[lo:hi], c.value[lo:hi]
}

// pick returns a copy of the given rows and columns; nil means all.
func (s *csr[V]) pick(ctx context.Context, rows, cols []int) (csr[V], error) {
	rows = orAll(rows, s.rows)
	to := csr[V]{rows: len(rows), cols: s.cols, chunks: make([]csrChunk[V], (len(rows)+csrRows-1)/csrRows)}
	var place []int32 // new number of each column, or −1
	if cols != nil {
		to.cols = len(cols)
		place = places(cols, s.cols)
	}
	parallel.Each(len(to.chunks), func(c int) {
		if ctx.Err() == nil {
			to.chunks[c] = s.chunkOf(rows[c*csrRows:min((c+1)*csrRows, len(rows))], place)
		}
	})
	for i := range to.chunks {
		to.cells += len(to.chunks[i].index)
	}
	return to, ctx.Err()
}

// chunkOf returns a chunk of the given rows, with the columns that have an index in place; nil
// means all columns, unchanged.
func (s *csr[V]) chunkOf(rows []int, place []int32) csrChunk[V] {
	c := csrChunk[V]{start: make([]int, len(rows)+1)}
	n := 0
	for i, from := range rows {
		index, _ := s.row(from)
		if place == nil {
			n += len(index)
		} else {
			for _, j := range index {
				if place[j] >= 0 {
					n++
				}
			}
		}
		c.start[i+1] = n
	}
	c.index, c.value = make([]uint32, 0, n), make([]V, 0, n)
	for _, from := range rows {
		index, value := s.row(from)
		if place == nil {
			c.index, c.value = append(c.index, index...), append(c.value, value...)
			continue
		}
		for p, j := range index {
			if at := place[j]; at >= 0 {
				c.index, c.value = append(c.index, uint32(at)), append(c.value, value[p])
			}
		}
	}
	return c
}

// places returns, for each of n columns, its index in list, or −1.
func places(list []int, n int) []int32 {
	place := make([]int32, n)
	for j := range place {
		place[j] = -1
	}
	for at, v := range list {
		place[v] = int32(at)
	}
	return place
}

// runs calls f for every run of rows lo to hi−1 that lies in one
// chunk: the position of its first row counted from lo, the offsets of its
// rows, and the chunk.
func (s *csr[V]) runs(lo, hi int, f func(at int, start []int, c *csrChunk[V])) {
	for i := lo; i < hi; {
		first := i % csrRows
		n := min(hi-i, csrRows-first)
		c := &s.chunks[i/csrRows]
		f(i-lo, c.start[first:first+n+1], c)
		i += n
	}
}

// sparseRoom is spareRoom for sparse cells, which need most of their memory for longer than dense
// ones.
const sparseRoom = 2

// shrink drops all columns except the given ones, which are ascending. Cells are compacted in
// place.
func (s *csr[V]) shrink(cols []int) {
	place := places(cols, s.cols)
	parallel.Each(len(s.chunks), func(i int) {
		c := &s.chunks[i]
		n := 0
		for r := range len(c.start) - 1 {
			lo, hi := c.start[r], c.start[r+1]
			c.start[r] = n
			for p := lo; p < hi; p++ {
				if at := place[c.index[p]]; at >= 0 {
					c.index[n], c.value[n] = uint32(at), c.value[p]
					n++
				}
			}
		}
		c.start[len(c.start)-1] = n
		c.index, c.value = c.index[:n], c.value[:n]
		if sparseRoom*n < cap(c.index) {
			c.index = append(make([]uint32, 0, n), c.index...)
			c.value = append(make([]V, 0, n), c.value...)
		}
	})
	s.cells, s.cols = 0, len(cols)
	for i := range s.chunks {
		s.cells += len(s.chunks[i].index)
	}
}
