package parquet

import (
	"io"
	"math"
	"slices"
	"sync/atomic"

	"fsa/internal/format/columnar"

	"github.com/parquet-go/parquet-go/format"
)

// maxPageValues limits the values of a page. Most writers begin a new page after 20,000 or a
// million; the largest known number is 50 million.
const maxPageValues = 1 << 26

// chunk is a column in a row group: consecutive pages.
type chunk struct {
	off, end int64
	rows     int64
	codec    format.CompressionCodec
}

// cursor reads a column from row to row.
type cursor struct {
	*column
	*shared
	codes *columnar.Texts // of a text column

	chunk  chunk // what is left to read
	dict   *dictionary
	rows   int // left in the current page
	levels hybrid
	values values
	page   []byte // bytes of levels and values
	held   int64  // how many of them count as open

	pageRoom, dictRoom int64 // what the column uses of the shared room
}

// shared is what the cursors of a file have in common. They may work in parallel.
type shared struct {
	src     io.ReaderAt
	room    *columnar.Room
	pages   atomic.Int64 // bytes of the pages that are open,
	most    int64        // and the largest allowed number; 0 for any
	columns int
}

// scratch is the working memory of a cursor; one at a time uses it.
type scratch struct {
	unpacker
	first  []byte // the beginning of a page
	packed []byte // a page before it is decompressed
	spare  []byte // the page of a column that was read to its end
	nulls  [1024]uint32
}

// begin moves to another row group.
func (c *cursor) begin(k chunk) {
	c.chunk, c.dict, c.rows, c.values = k, nil, 0, nil
}

// giveBack releases the last page of a row group to other columns.
func (c *cursor) giveBack(s *scratch) {
	c.pages.Add(-c.held)
	s.spare, c.page, c.held = c.page, nil, 0
	c.levels, c.values = hybrid{}, nil
}

// fill reads a few rows of the current page. Levels has room for the null flags.
func (c *cursor) fill(dst []float64, levels []uint32) error {
	if !c.optional || c.levels.repeats(1, len(dst)) {
		return c.values.next(dst)
	}
	if err := c.levels.next(levels); err != nil {
		return err
	}
	n := 0
	for _, level := range levels {
		n += int(level)
	}
	if err := c.values.next(dst[:n]); err != nil {
		return err
	}
	if n == len(dst) {
		return nil
	}
	for i, level := range slices.Backward(levels) { // each value moves up, so the last goes first
		if level == 0 {
			dst[i] = math.NaN()
		} else {
			n--
			dst[i] = dst[n]
		}
	}
	return nil
}

// pageOf returns memory for a page of n bytes: that of the previous page, or of one of another
// column that is no longer needed.
func (c *cursor) pageOf(s *scratch, n int) []byte {
	if c.page == nil {
		c.page, s.spare = s.spare, nil
	}
	return resize(&c.page, n)
}

// resize returns a slice of n bytes, in *b if there is room.
func resize(b *[]byte, n int) []byte {
	*b = slices.Grow((*b)[:0], n)[:n]
	return *b
}
