package open

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"fsa/data"
	"fsa/data/panel"
)

// spool brings a table that does not fit into memory into a temporary file from
// which it can be learned, in the layout of fsa. Need is how large that will
// be, as far as is known.
func spool(ctx context.Context, path string, r *reader, o Options, roles data.Roles, need int64) (*data.Dataset, error) {
	cols := r.Schema().Width
	if r.Schema().Sparse {
		cols = 0 // those that occur count, and nobody knows them yet
	}
	if _, err := o.room(path, 0, cols, 0); err != nil { // rows only make it worse
		return nil, err
	}
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	if free, known := freeSpace(f); known && need > free {
		f.Close()
		return nil, fmt.Errorf("%s does not fit into memory, and its %s do not fit into %s, where %s are free: set TMPDIR to another folder, or allow more memory: %w",
			path, Size(need), os.TempDir(), Size(free), syscall.ENOSPC)
	}
	if o.Note != nil {
		o.Note("%s may not fit into %s: it is copied into a temporary file in %s first (fsa convert would do that once for all)", path, Size(o.Memory), os.TempDir())
	}
	c := copying{path: path, roles: roles, memory: o.Memory / 4} // a fit can hold as many panels as it wants
	if err := c.run(ctx, f, r); err != nil {
		f.Close()
		return nil, err
	}
	t, err := openTable(f, path)
	if err != nil {
		f.Close()
		return nil, err
	}
	return fromTable(ctx, path, t, roles, &o)
}

// copying brings tables into the layout of fsa.
type copying struct {
	path    string
	roles   data.Roles // whose columns keep all their digits
	exact   []int      // columns that do, too
	labels  []float64  // for rows that have none of their own; nil without any
	memory  int64      // that the panels may take
	observe func(rows int)
}

// run writes the rows of r to w.
func (c *copying) run(ctx context.Context, w io.Writer, r data.Reader) error {
	for _, ref := range []string{c.roles.Target, c.roles.Weight, c.roles.Query} {
		if ref != "" && !r.Schema().Sparse {
			c.exact = append(c.exact, r.Schema().FindColumn(ref))
		}
	}
	p, err := panel.NewWriter(w, r.Schema(), 0, panel.Options{Memory: c.memory, Exact: c.exact})
	if err != nil {
		return err
	}
	rows := 0
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		if c.labels != nil && b.Label == nil {
			b.Label = c.labels[min(rows, len(c.labels)):min(rows+b.Rows, len(c.labels))]
			if len(b.Label) < b.Rows {
				return c.miscounted(rows + b.Rows)
			}
		}
		if err := p.Write(b); err != nil {
			return c.named(err)
		}
		if rows += b.Rows; c.observe != nil {
			c.observe(rows)
		}
	}
	if c.labels != nil && len(c.labels) != rows {
		return c.miscounted(rows)
	}
	return c.named(p.Close())
}

func (c *copying) miscounted(rows int) error {
	return &data.Error{File: c.path, Msg: fmt.Sprintf("there are %d labels beside the table, and not one for each of its rows, of which there are %d or more", len(c.labels), rows)}
}

// named says in which file bad data was.
func (c *copying) named(err error) error {
	if e, ok := errors.AsType[*data.Error](err); ok && e.File == "" {
		e.File = c.path
	}
	return err
}
