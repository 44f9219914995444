package open

import (
	"context"
	"errors"
	"io"

	"fsa/data"
)

// Next implements [data.Reader]. Where a table ends is also where it has to be as it
// was in the beginning: one that was cut ends too early, and may look whole. What else
// is wrong with a table that was changed comes from that.
func (r *reader) Next(ctx context.Context) (*data.Block, error) {
	b, err := r.Reader.Next(ctx)
	return b, r.checked(ctx, err)
}

// checked returns what is wrong after some rows were read, or not.
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

// byColumn is a reader whose rows can be had by columns.
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

// reader closes the file below a format's reader too.
type reader struct {
	data.Reader
	format *format
	in     *input
	kept   bool // the file stays open, as somebody reads it at random

	several bool     // there are more files, which nobody has looked at
	names   []string // of columns, from elsewhere
	memory  int64    // that may be used; 0 for any
	texts   texts
}

func (r *reader) Close() error {
	err := r.Reader.Close()
	if !r.kept {
		err = errors.Join(err, r.in.closer())
	}
	return err
}

// labeller is a reader that knows whether rows carry their responses besides their
// cells.
type labeller interface{ HasLabels() bool }

// labelled reports that they do.
func (r *reader) labelled() bool {
	l, ok := r.Reader.(labeller)
	return ok && l.HasLabels()
}

// progress returns the share of a file that was read, 0 if that is not known.
// It is a little ahead of the rows.
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
