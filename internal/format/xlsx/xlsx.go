// Package xlsx reads and writes Excel workbooks, one sheet as a table. The first row that is not
// blank has the names of the columns. A cell is read as it is displayed: as a number, a text, a
// boolean, or a date if its number format says so; for a formula, it is the value stored in the
// workbook. Errors, such as #N/A, are missing cells. Blank rows are skipped.
package xlsx

import (
	"errors"
	"fmt"
	"io"

	"fsa/data"
	"fsa/internal/format/csv"
	"fsa/internal/format/rowwise"
)

// Options says how to read a table.
type Options struct {
	csv.Options
	// Sheet is its name; empty means the first sheet that is not hidden.
	Sheet string
	// Texts is the number of bytes that the texts of the workbook may take; 0 means any number.
	Texts int64
	// Note is called with assumptions that were made; it may be nil.
	Note func(format string, a ...any)
}

// Reader reads a sheet.
type Reader struct {
	*rowwise.Reader
	part io.Closer
}

var _ data.Reader = (*Reader)(nil)

// NewReader starts to read a sheet of a workbook; the name is for messages.
func NewReader(r io.ReaderAt, size int64, name string, o Options) (*Reader, error) {
	b, err := openBook(r, size, name)
	if err != nil {
		return nil, err
	}
	sheet, err := b.find(o.Sheet)
	if err != nil {
		return nil, err
	}
	if n := len(b.sheets); o.Sheet == "" && n > 1 && o.Note != nil {
		o.Note("%s: read the sheet %q, one of %d; to read another, give %s:SHEET", name, sheet.name, n, name)
	}
	if o.Sheet != "" {
		name += ":" + sheet.name
	}
	src := &source{book: b, part: sheet.part, name: name}
	if src.styles, err = b.styles(); err != nil {
		return nil, err
	}
	if src.texts, err = b.texts(o.Texts); err != nil {
		return nil, err
	}
	part, err := b.open(sheet.part)
	if err != nil {
		return nil, err
	}
	src.xml = newScanner(part)
	err = src.begin(o.Header == "no")
	var rows *rowwise.Reader
	if err == nil {
		rows, err = rowwise.NewReader(src, name, rowwise.Options{Options: o.Options})
	}
	if err != nil {
		return nil, errors.Join(err, part.Close())
	}
	return &Reader{rows, part}, nil
}

// Close ends reading. It does not close the workbook.
func (r *Reader) Close() error { return errors.Join(r.Reader.Close(), r.part.Close()) }

// source delivers the rows of a sheet. Columns from first to last are those of the table.
type source struct {
	*book
	part        string
	name        string
	styles      []meaning
	texts       *texts
	xml         *scanner
	row         int // number of the current row in the sheet, counted from 1
	header      int // row number of the header
	first, last int
	names       []string
	cells       []cell // cells of the current row, from left to right, without empty ones
	text        []byte // texts of the cells
	kept        bool   // the current row has not been delivered yet
	ended       bool
}

// cell is a cell that is not empty.
type cell struct {
	column     int
	how        how
	start, end int // in the texts of the row
	shared     []byte
}

// how is how a cell is written.
type how uint8

const (
	plain how = iota
	text
	yes
	no
	missing
)

// begin reads the names of the columns and the first row, whose cells may start further left.
func (s *source) begin(nameless bool) error {
	err := s.read()
	if err == io.EOF {
		return &data.Error{File: s.name, Msg: "the sheet is empty: its first row names the columns"}
	}
	if err != nil {
		return err
	}
	s.first, s.last = s.cells[0].column, s.cells[len(s.cells)-1].column
	s.kept = nameless
	if nameless {
		return nil
	}
	s.header = s.row
	header := make(map[int]string, len(s.cells))
	for i := range s.cells {
		header[s.cells[i].column] = string(s.bytes(&s.cells[i]))
	}
	switch err := s.read(); {
	case err == io.EOF:
		s.ended = true
	case err != nil:
		return err
	default:
		s.kept, s.first = true, min(s.first, s.cells[0].column)
	}
	for j := s.first; j <= s.last; j++ {
		s.names = append(s.names, header[j])
	}
	return nil
}

// Names implements [rowwise.Source].
func (s *source) Names() []string { return s.names }

// Next implements [rowwise.Source].
func (s *source) Next(row *rowwise.Row) (place int, err error) {
	if s.ended {
		return 0, io.EOF
	}
	if !s.kept {
		if err := s.read(); err != nil {
			return 0, err
		}
	}
	s.kept = false
	at := s.first
	for i := range s.cells {
		c := &s.cells[i]
		if c.column < s.first || c.column > s.last {
			return 0, s.outside(c.column)
		}
		for ; at < c.column; at++ {
			row.Missing()
		}
		switch at++; c.how {
		case missing:
			row.Missing()
		case yes, no:
			row.Bool(c.how == yes)
		case plain:
			row.Plain(s.bytes(c))
		default:
			row.Text(s.bytes(c))
		}
	}
	for ; at <= s.last; at++ {
		row.Missing()
	}
	return s.row, nil
}

// bytes returns the text of a cell.
func (s *source) bytes(c *cell) []byte {
	switch {
	case c.how == yes:
		return []byte("true")
	case c.how == no:
		return []byte("false")
	case c.shared != nil:
		return c.shared
	}
	return s.text[c.start:c.end]
}

// outside returns the error for a cell beside the table.
func (s *source) outside(column int) error {
	if s.names == nil {
		return s.wrong(column, "the cell has a value, but the first row of the sheet has none in this column: fill that row, or delete the cell")
	}
	return s.wrong(column, fmt.Sprintf("the cell has a value, but row %d, the first of the sheet, has no name for its column: name it, or delete what is not part of the table, such as a title above the names", s.header))
}

// wrong returns an error at a cell of the current row.
func (s *source) wrong(column int, msg string) error {
	return &data.Error{File: s.name, Msg: fmt.Sprintf("cell %s%d: %s", letters(column), s.row, msg)}
}

// letters returns the name of a column, counted from 0.
func letters(column int) string {
	var name []byte
	for column++; column > 0; column = (column - 1) / 26 {
		name = append([]byte{byte('A' + (column-1)%26)}, name...)
	}
	return string(name)
}
