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

// paging is a temporary file in the layout of fsa, from which a table that does not fit
// into memory can be learned.
type paging struct {
	t    *opened
	file *os.File
	copying
}

// newPaging begins one.
func (t *opened) newPaging() (*paging, error) {
	f, err := temporary()
	if err != nil {
		return nil, err
	}
	// A fit can hold as many panels as it wants.
	p := &paging{t: t, file: f, copying: copying{path: t.path, roles: t.roles, memory: t.o.Memory / 4, occurring: occurring{t.o.Memory, program, perColumn}}}
	if err := p.begin(&fault.File{File: f}, t.Schema()); err != nil {
		f.Close()
		return nil, err
	}
	return p, nil
}

// checkWidth refuses a table whose columns alone take more memory than there is.
func (t *opened) checkWidth() error {
	f := t.facts()
	if f.sparse {
		f.width = 0 // those that occur count, and nobody knows them yet
	}
	_, err := t.o.room(t.path, int(max(f.rows, 0)), f.width, 0) // further rows only make it worse
	return err
}

// announce says that the file is needed, and will take about as much as is said, as far
// as that is known. It refuses where that is more than is free.
func (p *paging) announce(need int64) error {
	have, err := p.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if free, known := freeSpace(p.file); known && need-have > free {
		return fmt.Errorf("%s does not fit into memory, and its %s do not fit into %s, where %s are free: set TMPDIR to another folder, or allow more memory: %w",
			p.path, Size(need), os.TempDir(), Size(free+have), syscall.ENOSPC)
	}
	if o := p.t.o; o.Note != nil {
		o.Note("%s may not fit into %s: it is first copied into a temporary file in %s (fsa convert does that once and for all)", p.path, Size(o.Memory), os.TempDir())
	}
	return nil
}

// dataset completes the file and makes a dataset of it, which keeps it open.
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

// close gives the file back, unless a dataset has it.
func (p *paging) close() {
	if p != nil && p.file != nil {
		p.file.Close()
	}
}

// copying brings tables into the layout of fsa.
type copying struct {
	path    string
	roles   data.Roles // whose columns keep all their digits
	exact   []int      // columns that do, too
	labels  []float64  // for rows that have none of their own; nil without any
	memory  int64      // that the panels may take
	observe func(rows int)
	ended   func(w *panel.Writer) error // behind every group; nil for nothing
	state   []byte                      // to go on from; nil to begin
	occurring

	w    *panel.Writer
	rows int
}

// occurring says how many columns of a sparse table may occur, by what they take.
type occurring struct {
	allowed    int64 // memory in all; 0 for any
	base, each int64 // what is needed without columns, and for each
}

// most returns how many may occur; 0 for any number.
func (o *occurring) most() int {
	if o.allowed == 0 {
		return 0
	}
	return int(max(besides(o.allowed, o.base)/o.each, 1))
}

// begin begins a table on w.
func (c *copying) begin(w io.Writer, s *data.Schema) (err error) {
	for _, ref := range []string{c.roles.Target, c.roles.Weight, c.roles.Query, c.roles.Group, c.roles.Offset, c.roles.Event, c.roles.Stratum} {
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
	return &data.Error{File: c.path, Msg: fmt.Sprintf("there are %d labels beside the table, which has %d or more rows: one per row is needed", len(c.labels), rows)}
}

// named says in which file bad data was, or how much memory its columns would need.
func (c *copying) named(err error) error {
	if wide, ok := errors.AsType[*panel.TooWide](err); ok {
		return &MemoryError{c.path, 0, c.allowed, // more of them may come
			fmt.Sprintf("more than %d of its columns have values: allow more", wide.Columns-1)}
	}
	if e, ok := errors.AsType[*data.Error](err); ok && e.File == "" {
		e.File = c.path
	}
	return err
}
