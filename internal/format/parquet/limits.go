package parquet

import (
	"fmt"

	"fsa/data"
)

// A page of a few bytes may claim to contain gigabytes, and with a good compressor it even does. So
// its claim is compared with what its rows could need before memory is allocated.

// admit refuses a page that has more values than rows are left, or more bytes than they could need.
func (c *cursor) admit(values int32, size int) error {
	if values < 0 || values > maxPageValues || int64(values) > c.chunk.rows {
		return fmt.Errorf("a page that claims %d values where %d are left; a page can have %d", values, c.chunk.rows, maxPageValues)
	}
	more := max(int64(size)-c.held, 0)
	c.held += more
	if pages := c.pages.Add(more); c.most > 0 && pages > c.most {
		return fmt.Errorf("%w: one page of each of %d columns takes more than %d bytes: allow more, or write the file with smaller pages", data.ErrMemory, c.columns, c.most)
	}
	if c.size == 0 && c.cell != boolean {
		return c.hold(&c.pageRoom, int64(size))
	}
	const (
		other = 8        // bytes of a number in the longest of the encodings that are not plain
		null  = 1        // and of its null flag
		slack = 32 << 10 // for headers, and for padding of the last block
	)
	if size > int(values)*(max(c.size, other)+null)+slack {
		return fmt.Errorf("a page of %d bytes for %d values", size, values)
	}
	return nil
}

// hold takes from the shared room the difference between n bytes and what is already held.
func (c *cursor) hold(held *int64, n int64) error {
	more := max(n-*held, 0)
	*held += more
	return c.room.Take(more)
}
