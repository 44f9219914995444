// Package csv reads and writes tables of delimited text: comma, tab, semicolon, bar or blanks
// between the cells, with or without a header.
//
// Cells follow RFC 4180: one that starts with a quotation mark ends at the next single one, and may
// contain delimiters, line feeds and, doubled, quotation marks. Blanks around a cell are dropped,
// blank lines are skipped.
//
// The first rows decide what a column holds, numbers or text, and how they are written; see package
// kind. In a column of numbers a cell is missing if it is empty, ?, NA, N/A, NaN or null, in upper
// or lower case, or another word that stands for that among numbers; in a column of text likewise,
// unless it is quoted and not empty. Missing cells are NaN in a block.
package csv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/lines"
)

// Options has what the text does not contain itself. The zero value detects everything from the
// first rows.
type Options struct {
	// Header says whether the first row has the names of the columns: "yes", "no", or "auto", which
	// is also the empty string.
	//
	// Auto takes the first row for a header if one of its cells is a text where the first cell below
	// that is not missing is a number, and the numbers among its cells, if any, could be names:
	// whole and without a sign. (A fraction beside a text is more likely a row with a bad cell.) In
	// a table without numbers the first row is a header if there are several columns and its cells
	// are different, not missing and do not occur below.
	Header string
	// Comma is the delimiter. A blank stands for any run of blanks and tabs. 0 means to detect it.
	Comma byte
	// Categorical has the names of columns that are text even if they look like numbers, or their
	// numbers counted from 0. Missing columns are not an error here: whoever needs them will report
	// it.
	Categorical []string
	// Skip names columns that are not used: their cells may be of any kind, and anything but a
	// number is missing.
	Skip []string
	// Only names the columns that are used, as the opposite of Skip; nil for all.
	Only []string
	// Kinds has the kinds of columns, by their names, so that their cells do not decide.
	Kinds map[string]kind.Column
	// Hints say how numbers and dates are written, if cells are ambiguous.
	Hints kind.Hints
	// Tolerant treats a cell that cannot be read as missing, which [Reader.Bad] reports, and an
	// ambiguous column as text.
	Tolerant bool
	// Numeric says that no column holds text: a cell that is neither a number nor missing is an
	// error wherever it is.
	Numeric bool
	// Memory is about the number of bytes that rows in parsing may take; 0 for any.
	Memory int64
	// Columns is the largest allowed number of columns; 0 for any.
	Columns int
	// Stop, if it is not nil, returns an error when the table is no longer wanted. Very many columns
	// take long to detect.
	Stop func() error
}

// cellBytes is the largest memory per byte of text, that of an empty cell.
const cellBytes = 8

// TooWide says that a table has more columns than [Options] allow.
type TooWide struct{ Columns int }

func (e *TooWide) Error() string { return fmt.Sprintf("there are %d columns, too many", e.Columns) }

func (o *Options) validate() error {
	switch o.Header {
	case "", "auto", "yes", "no":
	default:
		return fmt.Errorf("csv: header is %q: it must be auto, yes or no", o.Header)
	}
	if o.Comma != 0 && strings.IndexByte("\t !#$%&*,/:;<=>@\\^_|~", o.Comma) < 0 {
		return fmt.Errorf("csv: %q cannot be a delimiter", o.Comma)
	}
	return o.Hints.Check()
}

// Reader reads a table of delimited text.
type Reader struct {
	layout     *layout
	schema     *data.Schema
	parser     *lines.Parser[*rows]
	categories []categories     // one for each text column, in the order of layout.texts
	read       bool             // a row has been read
	bad        map[int]data.Bad // by column
}

// Bad lists, by column, the cells that a tolerant reader could not read so far.
func (r *Reader) Bad() []data.Bad {
	var list []data.Bad
	for _, j := range slices.Sorted(maps.Keys(r.bad)) {
		list = append(list, r.bad[j])
	}
	return list
}

// note counts bad cells.
func (r *Reader) note(cells map[int]data.Bad) {
	for j, b := range cells {
		if known, ok := r.bad[j]; ok {
			b.Line, b.Msg = known.Line, known.Msg
			b.Count += known.Count
		}
		r.bad[j] = b
	}
}

var _ data.Reader = (*Reader)(nil)

// NewReader starts to read r; the name is for messages. It reads as much as it needs to detect the
// columns. Closing the reader does not close r.
func NewReader(r io.Reader, name string, o Options) (*Reader, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	src := lines.NewSource(r, name)
	head, err := start(src)
	if errors.Is(err, io.EOF) {
		return nil, &data.Error{File: name, Msg: "it is empty; a table has at least one row"}
	}
	if err != nil {
		return nil, err
	}
	comma := dialect(o.Comma)
	if comma == 0 {
		comma = sniffDialect(head)
	}
	src.End = comma.end
	if head, err = src.Peek(2); err != nil {
		return nil, err
	}
	layout, body, err := newLayout(name, comma, o, head, src.Line())
	if err != nil {
		return nil, err
	}
	src.Discard(body)
	schema := &data.Schema{Width: layout.width, Names: layout.names, Kinds: layout.kinds}
	reader := &Reader{layout: layout, schema: schema, parser: lines.NewParser(src, layout.parse), bad: map[int]data.Bad{}}
	reader.parser.Bound(o.Memory, cellBytes)
	reader.note(layout.doubts)
	if len(layout.texts) > 0 {
		schema.Categories = make(map[int][]string)
	}
	for _, j := range layout.texts {
		schema.Categories[j] = nil
		reader.categories = append(reader.categories, make(categories))
	}
	return reader, nil
}

// start skips blank lines and returns the first other lines.
func start(src *lines.Source) ([]byte, error) {
	for {
		head, err := src.Peek(2)
		if err != nil {
			return nil, err
		}
		text := bytes.TrimLeft(head, " \t\r\n")
		if len(text) > 0 {
			src.Discard(bytes.LastIndexByte(head[:len(head)-len(text)], '\n') + 1)
			return src.Peek(2)
		}
		src.Discard(len(head))
	}
}

// Schema describes the columns. The categories of text columns grow until Next
// returns io.EOF.
func (r *Reader) Schema() *data.Schema { return r.schema }

// Next returns the next rows, or io.EOF after the last.
func (r *Reader) Next(ctx context.Context) (*data.Block, error) {
	for {
		rows, err := r.parser.Next(ctx)
		if errors.Is(err, io.EOF) && !r.read {
			return nil, &data.Error{File: r.layout.file, Msg: "there is no row below the header"}
		}
		if err != nil {
			return nil, err
		}
		if rows.block.Rows == 0 {
			continue
		}
		r.read = true
		r.note(rows.bad)
		for t, j := range r.layout.texts {
			r.schema.Categories[j] = r.categories[t].merge(r.schema.Categories[j], rows.block.Dense[j:], r.schema.Width, rows.texts[t])
		}
		return rows.block, nil
	}
}

// Close ends reading.
func (r *Reader) Close() error { return r.parser.Close() }
