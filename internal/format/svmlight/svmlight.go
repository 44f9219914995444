// Package svmlight reads and writes sparse tables in the text format of SVMlight and LIBSVM, one
// row per line:
//
//	label qid:query index:value index:value ... # comment
//
// Indices ascend. They count from 1 in the file, or from 0 if the options say so, and from 0 in a
// block. The label is a number. The query is a whole number, in all rows or in none. A cell that is
// not listed is zero, one that is listed is kept even if it is zero, and the value nan is a missing
// one. Lines that are blank or a comment are skipped.
package svmlight

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"fsa/data"
	"fsa/internal/lines"
)

// maxWidth is the largest number of columns, and so the largest index that
// counts from 1.
const maxWidth = min(1<<31, math.MaxInt)

// Options has what the text does not contain itself.
type Options struct {
	// Width is the number of columns, if it is known; a larger index is then an error. With 0 the
	// table ends with its largest index.
	Width int
	// Unlabeled says that rows have no label and no query, and that an empty
	// line is a row without cells.
	Unlabeled bool
	// Ones says that a cell is only an index and has the value 1.
	Ones bool
	// FromZero says that the indices of the file count from 0.
	FromZero bool
	// Memory is about the number of bytes that rows in parsing may take; 0 for any.
	Memory int64
}

// cellBytes is the largest memory per byte of text: a cell takes at least four of them.
const cellBytes = 4

// Reader reads a table in SVMlight format.
type Reader struct {
	name   string
	schema data.Schema
	parser *lines.Parser[*rows]
	rows   int
	query  bool // rows have queries
	labels bool // and labels
}

var _ data.Reader = (*Reader)(nil)

// NewReader starts to read r; the name is for messages. Closing the reader
// does not close r.
func NewReader(r io.Reader, name string, o Options) (*Reader, error) {
	if o.Width < 0 || o.Width > maxWidth {
		return nil, fmt.Errorf("svmlight: %d columns: there must be 0 to %d", o.Width, maxWidth)
	}
	base := "1"
	f := &format{file: name, limit: o.Width, unlabeled: o.Unlabeled, ones: o.Ones}
	if o.Width == 0 {
		f.limit = maxWidth
	}
	if o.FromZero {
		f.shift, base = 1, "0"
	}
	parser := lines.NewParser(lines.NewSource(r, name), f.parse)
	parser.Bound(o.Memory, cellBytes)
	return &Reader{
		name:   name,
		labels: !o.Unlabeled,
		schema: data.Schema{Sparse: true, Width: o.Width, Open: o.Width == 0, IndexBase: base},
		parser: parser,
	}, nil
}

// Schema describes the columns. Unless the width was known from the start it
// grows until Next returns io.EOF.
func (r *Reader) Schema() *data.Schema { return &r.schema }

// HasLabels reports whether rows have labels in addition to their cells.
func (r *Reader) HasLabels() bool { return r.labels }

// Next returns the next rows, or io.EOF after the last.
func (r *Reader) Next(ctx context.Context) (*data.Block, error) {
	for {
		rows, err := r.parser.Next(ctx)
		if errors.Is(err, io.EOF) && r.rows == 0 {
			return nil, &data.Error{File: r.name, Msg: "there is no row in it; a table has at least one"}
		}
		if err != nil {
			return nil, err
		}
		b := rows.block
		if b.Rows == 0 {
			continue
		}
		if r.rows == 0 {
			r.query = b.Query != nil
		} else if r.query != (b.Query != nil) {
			return nil, queryError(r.name, b.Line, r.query)
		}
		r.rows += b.Rows
		r.schema.Width = max(r.schema.Width, rows.width)
		return b, nil
	}
}

// Close ends reading.
func (r *Reader) Close() error { return r.parser.Close() }
