package parquet

import (
	"fmt"

	"fsa/data"
)

// A page of a few bytes may claim to hold gigabytes, and with a good compressor it
// even does. So it is asked what its rows could need before room is made for it.

// admit refuses a page that has more values than rows are left, or more bytes than
// they could need.
func (c *cursor) admit(values int32, size int) error {
	if values < 0 || values > maxPageValues || int64(values) > c.chunk.rows {
		return fmt.Errorf("a page that claims %d values where %d are left; a page can have %d", values, c.chunk.rows, maxPageValues)
	}
	more := max(int64(size)-c.held, 0)
	c.held += more
	if pages := c.pages.Add(more); c.most > 0 && pages > c.most {
		return fmt.Errorf("%w: a page of each column is held at a time, and those of %d columns take more than %d bytes: allow more, or write the file with smaller pages", data.ErrMemory, c.columns, c.most)
	}
	if c.size == 0 && c.cell != boolean {
		return c.hold(&c.pageRoom, int64(size))
	}
	const (
		other = 8        // bytes of a number in the longest of the encodings that are not plain
		null  = 1        // and of whether there is one
		slack = 32 << 10 // for heads, and for what fills up the last block
	)
	if size > int(values)*(max(c.size, other)+null)+slack {
		return fmt.Errorf("a page of %d bytes for %d values", size, values)
	}
	return nil
}

// hold takes from the room that the columns share what n bytes are more than is
// held already.
func (c *cursor) hold(held *int64, n int64) error {
	more := max(n-*held, 0)
	*held += more
	return c.room.Take(more)
}
