package panel

import (
	"encoding/binary"
	"fmt"
	"io"

	"fsa/data"
)

// Options say how a table is written.
type Options struct {
	// Memory is about the memory that writing may take; 0 means 1 GiB. More memory makes longer
	// runs, which are faster to read, up to a limit.
	Memory int64
	// Exact lists columns that are stored exactly, such as a target. Others are stored as float32 if
	// that represents them well.
	Exact []int
	// Columns is the largest number of columns with values of a sparse table; 0 for any number. Some
	// numbers of each are held.
	Columns int
	// Ended, if it is not nil, is called after every group, and may call [Writer.State] to continue
	// from there.
	Ended func(w *Writer) error
	// State continues after the groups of a partial table; nil starts a new table. The output
	// continues after the first [StateEnd] bytes of the file, and all rows of the table must be
	// delivered again.
	State []byte
}

// Writer writes a table. It implements [data.Writer]. Blocks must not change until Close.
type Writer struct {
	file
	began bool
	body  body
}

var _ data.Writer = (*Writer)(nil)

// body is the part of a writer that differs between dense and sparse tables.
type body interface {
	// add takes the rows of a block.
	add(b *data.Block) error
	// finish writes what is left and completes the footer.
	finish() error
	// save appends the statistics of the columns, and load reads them.
	save(b []byte) []byte
	load(c *cursor) bool
}

// NewWriter begins a table on w. The number of rows need not be exact; 0 means that it is unknown.
// The width and the categories of the schema may grow until Close.
func NewWriter(w io.Writer, s *data.Schema, rows int, o Options) (*Writer, error) {
	if s.Width < 1 && !s.Sparse {
		return nil, fmt.Errorf("panel: cannot write a table of %d columns", s.Width)
	}
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	p := &Writer{file: file{out: output{w: w}, schema: s, foot: footer{sparse: s.Sparse}}}
	kind := uint32(kindDense)
	if s.Sparse {
		kind = kindSparse
		p.body = &sparseBody{file: &p.file, most: o.Columns}
	} else {
		p.body = newDenseBody(&p.file, rows, o.Memory, o.Exact)
	}
	if o.Ended != nil {
		p.again.ended = func() error { return o.Ended(p) }
	}
	p.again.table = p.layout()
	if o.State != nil {
		return p, p.load(o.State)
	}
	return p, p.out.write(header(kind))
}

// Write implements [data.Writer].
func (p *Writer) Write(b *data.Block) error {
	if b.Rows == 0 {
		return nil
	}
	if !p.began {
		p.began, p.foot.labels, p.foot.queries = true, b.Label != nil, b.Query != nil
	}
	if p.foot.labels != (b.Label != nil) || p.foot.queries != (b.Query != nil) {
		return &data.Error{Line: b.Line, Row: p.foot.rows + 1, Msg: "either all rows must have a label, and a query, or none"}
	}
	if p.again.skip > 0 {
		var err error
		if b, err = p.pass(b); b == nil {
			return err
		}
	}
	if err := p.body.add(b); err != nil {
		return err
	}
	p.foot.rows += b.Rows
	return nil
}

// Close implements [data.Writer].
func (p *Writer) Close() error {
	if p.again.skip > 0 {
		return p.short()
	}
	if err := p.body.finish(); err != nil {
		return err
	}
	p.foot.width, p.foot.open = p.schema.Width, p.schema.Open
	p.foot.names, p.foot.categories, p.foot.kinds = p.schema.Names, p.schema.Categories, p.schema.Kinds
	if err := p.out.pad(); err != nil {
		return err
	}
	at := p.out.at
	b := p.foot.append(nil)
	sum := checksum(b)
	n := len(b)
	b = binary.LittleEndian.AppendUint64(b, uint64(at))
	b = binary.LittleEndian.AppendUint64(b, uint64(n))
	b = binary.LittleEndian.AppendUint32(b, sum)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, checksum(b[n:]))
	b = binary.LittleEndian.AppendUint32(b, 0)
	return p.out.write(append(b, endMagic...))
}
