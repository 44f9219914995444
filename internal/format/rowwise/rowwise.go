// Package rowwise has what readers of tables stored as rows of typed cells share: JSON, spreadsheets
// and databases. A [Source] delivers rows; they become lines of a text table, which package csv
// reads. So the kinds of columns, missing values and messages follow the rules of text tables in
// all these formats, and the same table gives the same model.
package rowwise

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/lines"
)

// Source delivers the rows of a table.
type Source interface {
	// Names returns the names of the columns; nil if they have none.
	Names() []string
	// Next adds the cells of the next row, as many as there are columns, and returns its line in
	// the file or its number, counted from 1. It returns io.EOF after the last row.
	Next(row *Row) (place int, err error)
}

// Options says how to read a table.
type Options struct {
	csv.Options
	// Rows says that places are numbers of rows, not lines of the file.
	Rows bool
}

// Missing cells are cheap to write, so a small file may declare more of them than any disk could
// hold. If there are more than mostEmpty of them, and more than emptyRatio for each other cell, the
// table is refused.
const (
	mostEmpty  = 1 << 26
	emptyRatio = 100
)

// Reader reads the rows of a source.
type Reader struct {
	inner *csv.Reader
	text  *text
	rows  bool
	err   error            // what every later call of Next returns
	bad   map[int]data.Bad // by column
}

var _ data.Reader = (*Reader)(nil)

// NewReader starts to read src; the name is for messages.
func NewReader(src Source, name string, o Options) (*Reader, error) {
	t := &text{src: src, name: name, line: 1}
	o.Comma, o.Header = ',', "no"
	if names := src.Names(); names != nil {
		o.Header = "yes"
		for _, n := range names {
			t.row.name(n)
		}
		t.end(0)
	}
	r := &Reader{text: t, rows: o.Rows, bad: map[int]data.Bad{}}
	var err error
	if r.inner, err = csv.NewReader(t, name, o.Options); err != nil {
		return nil, r.failed(err)
	}
	return r, nil
}

// Schema describes the columns.
func (r *Reader) Schema() *data.Schema { return r.inner.Schema() }

// Next returns the next rows, or io.EOF after the last.
func (r *Reader) Next(ctx context.Context) (*data.Block, error) {
	if r.err != nil {
		return nil, r.err
	}
	b, err := r.inner.Next(ctx)
	if err != nil {
		if ctx.Err() != nil || err == io.EOF {
			return nil, err
		}
		r.err = r.failed(err)
		return nil, r.err
	}
	r.noteBad()
	last := b.LineOf(b.Rows - 1)
	if r.rows {
		b.Line, b.Lines = 0, nil
	} else {
		var places lines.Numbers
		for i := range b.Rows {
			places.Add(r.text.places.of(b.LineOf(i)))
		}
		b.Line, b.Lines = places.First, places.List
	}
	r.text.places.drop(last)
	return b, nil
}

// Close ends reading. It does not close the source.
func (r *Reader) Close() error { return r.inner.Close() }

// Bad lists, by column, the cells that a tolerant reader could not read so far.
func (r *Reader) Bad() []data.Bad {
	var list []data.Bad
	for _, b := range r.inner.Bad() {
		b.Line = r.bad[b.Column].Line
		list = append(list, b)
	}
	return list
}

// noteBad records the places of the first bad cells while they are still known.
func (r *Reader) noteBad() {
	for _, b := range r.inner.Bad() {
		if _, known := r.bad[b.Column]; !known {
			b.Line = r.text.places.of(b.Line)
			r.bad[b.Column] = b
		}
	}
}

// failed returns the error of the source, or one of the text with its place in the file.
func (r *Reader) failed(err error) error {
	if r.text.err != nil && errors.Is(err, r.text.err) {
		return r.text.err
	}
	r.locate(err)
	return err
}

// locate replaces lines of the text by places in the file.
func (r *Reader) locate(err error) {
	switch e := err.(type) {
	case *data.Error:
		if e.Line == 0 {
			return
		}
		if e.Line = r.text.places.of(e.Line); r.rows {
			e.Line, e.Row = 0, e.Line
		}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			r.locate(one)
		}
	}
}

// text is a source as the text of a table.
type text struct {
	src    Source
	name   string
	row    Row
	at     int // of row.text, read so far
	line   int // line number of the next row of text
	places places
	err    error
}

// Read implements [io.Reader].
func (t *text) Read(p []byte) (int, error) {
	if t.at == len(t.row.text) {
		t.row.text, t.at = t.row.text[:0], 0
		for t.err == nil && len(t.row.text) < len(p) {
			t.next()
		}
		if len(t.row.text) == 0 {
			return 0, t.err
		}
	}
	n := copy(p, t.row.text[t.at:])
	t.at += n
	return n, nil
}

// next appends the next row.
func (t *text) next() {
	start := len(t.row.text)
	place, err := t.src.Next(&t.row)
	if err == nil {
		err = t.check(start)
	}
	if err != nil {
		t.row.text, t.err = t.row.text[:start], err
		return
	}
	t.places.add(t.line, place)
	t.end(start)
}

// check returns an error for a row that cannot belong to a table.
func (t *text) check(start int) error {
	var msg string
	switch r := &t.row; {
	case len(r.text)-start > mostRow:
		msg = fmt.Sprintf("a row has more than the limit of %d bytes of text", mostRow)
	case r.empty > mostEmpty && r.empty > emptyRatio*r.filled:
		msg = "nearly all cells are missing, and there are too many of them: write a table of mostly zeros as svmlight (.svm)"
	default:
		return nil
	}
	return &data.Error{File: t.name, Msg: msg}
}

// end ends a line of the text.
func (t *text) end(start int) {
	t.line += 1 + t.row.feeds
	t.row.end(start)
}
