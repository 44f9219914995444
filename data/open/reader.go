package open

import (
	"context"
	"errors"
	"io"

	"fsa/data"
)

// Next implements [data.Reader]. At the end of a table it also checks that the file has not
// changed: a truncated file ends too early and may look complete. If the file has changed, other
// errors are assumed to be a consequence.
func (r *reader) Next(ctx context.Context) (*data.Block, error) {
	b, err := r.Reader.Next(ctx)
	return b, r.checked(ctx, err)
}

// checked returns the error to report after some rows were read, or nil.
func (r *reader) checked(ctx context.Context, err error) error {
	if err == nil {
		return r.texts.check(r.in.path, r.Schema(), r.memory)
	}
	if ctx.Err() == nil {
		if e := r.in.unchanged(); e != nil {
			return e
		}
	}
	return err
}

// byColumn is a reader that can also deliver its rows by columns.
type byColumn struct {
	*reader
	columns data.ByColumn
}

// Size implements [data.Sized].
func (r byColumn) Size() (rows, cells int64) { return r.columns.Size() }

// NextColumns implements [data.ByColumn].
func (r byColumn) NextColumns(ctx context.Context) (*data.Columns, error) {
	c, err := r.columns.NextColumns(ctx)
	if err != nil {
		return nil, r.checked(ctx, err)
	}
	each := c.Each
	c.Each = func(ctx context.Context, neighbours int, use func(thread, column int, cells []float64) error) error {
		return r.checked(ctx, each(ctx, neighbours, use))
	}
	return c, nil
}

// reader wraps the reader of a format and closes the file.
type reader struct {
	data.Reader
	format *format
	in     *input
	kept   bool // the file stays open, because it is read at random

	several bool     // there are more files, which have not been opened
	names   []string // column names from another file
	memory  int64    // memory that may be used; 0 means no limit
	texts   texts
}

func (r *reader) Close() error {
	err := r.Reader.Close()
	if !r.kept {
		err = errors.Join(err, r.in.closer())
	}
	return err
}

// labeller is a reader that knows whether rows have labels besides their cells.
type labeller interface{ HasLabels() bool }

// labelled reports whether rows have labels.
func (r *reader) labelled() bool {
	l, ok := r.Reader.(labeller)
	return ok && l.HasLabels()
}

// progress returns the share of a file that has been read, or 0 if it is unknown. It is slightly
// ahead of the rows.
func (r *reader) progress() float64 {
	if r.in.random || r.in.file == nil || r.several {
		return 0
	}
	info, err := r.in.file.Stat()
	if err != nil || info.Size() == 0 {
		return 0
	}
	at, err := r.in.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0
	}
	return float64(at) / float64(info.Size())
}
