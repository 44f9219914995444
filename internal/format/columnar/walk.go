package columnar

import (
	"context"

	"fsa/data"
)

// Walk iterates over a table stored by columns, part by part: the row groups of Parquet, the
// batches of Arrow. A reader that embeds one returns its rows.
type Walk struct {
	// Row is the next row, counted over all parts, and Left the number of rows that are left in the
	// part.
	Row  int
	Left int64

	columns int
	begin   func() (rows int64, err error)
	read    func(thread, column int, dst []float64) error
	pass    func(rows int)
	blocks  Maker
	failed  error
}

// NewWalk returns a walk over so many columns. Begin begins the next part and returns its number of
// rows, or [io.EOF] after the last one; read reads the next cells of a column, and pass is called
// when so many rows of all columns were read.
func NewWalk(columns int, begin func() (rows int64, err error), read func(thread, column int, dst []float64) error, pass func(rows int)) Walk {
	return Walk{columns: columns, begin: begin, read: read, pass: pass}
}

// Next implements [data.Reader].
func (w *Walk) Next(ctx context.Context) (*data.Block, error) {
	if err := w.arrive(ctx); err != nil {
		return nil, err
	}
	n := Rows(w.Left, w.columns)
	b, err := w.blocks.Block(ctx, n, w.columns, w.read)
	if w.done(n, err); err != nil {
		return nil, err
	}
	return b, nil
}

// NextColumns implements [data.ByColumn]. The rows count as passed when all columns were read.
func (w *Walk) NextColumns(ctx context.Context) (*data.Columns, error) {
	if err := w.arrive(ctx); err != nil {
		return nil, err
	}
	n := ManyRows(w.Left, w.columns)
	return w.blocks.Columns(n, w.columns, w.read, func(err error) { w.done(n, err) }), nil
}

// Failed reports whether the walk has ended, by an error or after the last part.
func (w *Walk) Failed() bool { return w.failed != nil }

// arrive begins the next part if the current one has no rows left.
func (w *Walk) arrive(ctx context.Context) error {
	if w.failed == nil {
		w.failed = ctx.Err()
	}
	for w.failed == nil && w.Left == 0 {
		w.Left, w.failed = w.begin()
		if w.failed == nil {
			w.failed = ctx.Err()
		}
	}
	return w.failed
}

// done moves past rows, or ends if they could not be read: columns may then be at different rows,
// so an error is final.
func (w *Walk) done(n int, err error) {
	if w.failed = err; err != nil {
		return
	}
	w.pass(n)
	w.Row += n
	w.Left -= int64(n)
}
