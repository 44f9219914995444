package open

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"fsa/data"
	"fsa/internal/fault"
	"fsa/internal/format/panel"
)

// paging is a temporary file in the .fsa layout, for training on a table that does not fit into
// memory.
type paging struct {
	t    *opened
	file *os.File
	copying
}

// newPaging creates a paging file.
func (t *opened) newPaging() (*paging, error) {
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	// The rows of a fit may use any number of panels.
	p := &paging{t: t, file: f, copying: copying{path: t.path, roles: t.roles, memory: t.o.Memory / 4, occurring: occurring{t.o.Memory, program, perColumn}}}
	if err := p.begin(&fault.File{File: f}, t.Schema()); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// checkWidth returns an error if the columns of a table alone need more memory than allowed.
func (t *opened) checkWidth() error {
	f := t.facts()
	if f.sparse {
		f.width = 0 // only columns with values count, and they are not known yet
	}
	_, err := t.o.room(t.path, int(max(f.rows, 0)), f.width, 0) // more rows would only need more memory
	return err
}

// announce tells the user that the file is needed and how large it will be, if that is known. It
// returns an error if there is not enough free space.
func (p *paging) announce(need int64) error {
	have, err := p.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if free, known := freeSpace(p.file); known && need-have > free {
		return fmt.Errorf("%s does not fit into memory, and its %s do not fit into %s, which has %s free: set TMPDIR to another folder, or allow more memory: %w",
			p.path, Size(need), os.TempDir(), Size(free+have), syscall.ENOSPC)
	}
	if o := p.t.o; o.Note != nil {
		o.Note("%s may not fit into %s: it is first copied to a temporary file in %s (fsa convert would do this only once)", p.path, Size(o.Memory), os.TempDir())
	}
	return nil
}

// dataset completes the file and returns its dataset, which keeps the file open.
func (p *paging) dataset(ctx context.Context) (*data.Dataset, error) {
	if err := p.finish(); err != nil {
		return nil, err
	}
	info, err := p.file.Stat()
	if err != nil {
		return nil, err
	}
	s, err := panel.Open(bare{p.file}, info.Size(), p.path)
	if err != nil {
		return nil, err
	}
	d, err := fromStore(ctx, p.path, s, p.roles, p.t.o)
	if err == nil {
		p.file = nil
	}
	return d, err
}

// close removes the file, unless a dataset uses it.
func (p *paging) close() {
	if p != nil && p.file != nil {
		p.file.Close()
	}
}

// copying copies tables to the .fsa layout.
type copying struct {
	path    string
	roles   data.Roles // columns with a role are stored without rounding
	exact   []int      // other columns that are stored without rounding
	labels  []float64  // labels for rows that have no labels of their own; nil if there are none
	memory  int64      // memory for the panels
	observe func(rows int)
	ended   func(w *panel.Writer) error // called after every group; may be nil
	state   []byte                      // state to continue from; nil to start from the beginning
	occurring

	w    *panel.Writer
	rows int
}

// occurring limits the number of columns with values in a sparse table, by their memory.
type occurring struct {
	allowed    int64 // total memory; 0 means no limit
	base, each int64 // memory without columns, and per column
}

// most returns the maximal number of columns with values; 0 means no limit.
func (o *occurring) most() int {
	if o.allowed == 0 {
		return 0
	}
	return int(max(besides(o.allowed, o.base)/o.each, 1))
}

// begin starts a table on w.
func (c *copying) begin(w io.Writer, s *data.Schema) (err error) {
	for _, ref := range c.roles.Columns() {
		if ref != "" && !s.Sparse {
			c.exact = append(c.exact, s.FindColumn(ref))
		}
	}
	c.w, err = panel.NewWriter(w, s, 0, panel.Options{Memory: c.memory, Columns: c.most(), Exact: c.exact, Ended: c.ended, State: c.state})
	return err
}

// add writes the rows of a block.
func (c *copying) add(b *data.Block) error {
	if c.labels != nil && b.Label == nil {
		b.Label = c.labels[min(c.rows, len(c.labels)):min(c.rows+b.Rows, len(c.labels))]
		if len(b.Label) < b.Rows {
			return c.miscounted(c.rows + b.Rows)
		}
	}
	if err := c.w.Write(b); err != nil {
		return c.named(err)
	}
	if c.rows += b.Rows; c.observe != nil {
		c.observe(c.rows)
	}
	return nil
}

// copyAll writes all rows of r.
func (c *copying) copyAll(ctx context.Context, r data.Reader) error {
	for b, err := range data.Blocks(ctx, r) {
		if err != nil {
			return err
		}
		if err := c.add(b); err != nil {
			return err
		}
	}
	return nil
}

// finish completes the table.
func (c *copying) finish() error {
	if c.labels != nil && len(c.labels) != c.rows {
		return c.miscounted(c.rows)
	}
	return c.named(c.w.Close())
}

func (c *copying) miscounted(rows int) error {
	return &data.Error{File: c.path, Msg: fmt.Sprintf("there are %d labels beside the table, which has %d or more rows: one label per row is needed", len(c.labels), rows)}
}

// named adds the file to an error about bad data, or the memory that its columns would need.
func (c *copying) named(err error) error {
	if wide, ok := errors.AsType[*panel.TooWide](err); ok {
		return &MemoryError{c.path, 0, c.allowed, // more of them may follow
			fmt.Sprintf("more than %d of its columns have values: allow more memory", wide.Columns-1)}
	}
	if e, ok := errors.AsType[*data.Error](err); ok && e.File == "" {
		e.File = c.path
	}
	return err
}
