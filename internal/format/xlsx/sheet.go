package xlsx

import (
	"bytes"
	"fmt"
	"io"
	"math"

	"fsa/data"
	"fsa/internal/lines"
)

// The maximal numbers of rows and columns of a sheet.
const (
	mostRows    = 1 << 20
	mostColumns = 1 << 14
)

// read reads the next row that is not blank, or returns io.EOF.
func (s *source) read() error {
	for {
		e, err := s.xml.next()
		switch {
		case err == io.EOF:
			return &data.Error{File: s.name, Msg: "the sheet ends too early: the workbook is damaged"}
		case err != nil:
			return s.damaged(s.part, err)
		case e == closed && s.xml.is("sheetData"):
			return io.EOF
		case e != opened || !s.xml.is("row"):
			continue
		}
		if err := s.cut(); err != nil {
			return s.damaged(s.part, err)
		}
		if len(s.cells) > 0 {
			return nil
		}
	}
}

// cut reads the cells of the row whose tag has just been read.
func (s *source) cut() error {
	at := s.row + 1
	for name, v := range s.xml.each() {
		if name == "r" {
			n, end := lines.Uint(v, 0)
			if end != len(v) || n > mostRows {
				return fmt.Errorf("%.20q is not the number of a row", v)
			}
			at = int(n)
		}
	}
	if at <= s.row || at > mostRows {
		return fmt.Errorf("row %d comes after row %d, and a sheet has at most %d", at, s.row, mostRows)
	}
	s.row, s.cells, s.text = at, s.cells[:0], s.text[:0]
	column := -1
	for {
		e, err := s.xml.next()
		switch {
		case err != nil:
			return torn(err)
		case e == closed && s.xml.is("row"):
			return nil
		case e == opened && s.xml.is("c"):
			if column, err = s.cell(column); err != nil {
				return err
			}
		}
	}
}

// cell reads the cell whose tag has just been read and returns its column. before is the column of
// the previous cell.
func (s *source) cell(before int) (column int, err error) {
	c := cell{column: before + 1, start: len(s.text)}
	style, kind := 0, byte('n')
	for name, v := range s.xml.each() {
		switch name {
		case "r":
			j, ok := columnOf(v)
			if !ok || j < c.column {
				return 0, fmt.Errorf("row %d has a cell %.20q after column %d", s.row, v, before+1)
			}
			c.column = j
		case "s":
			n, _ := lines.Uint(v, 0)
			style = int(min(n, mostStyles))
		case "t":
			kind = kindOf(v)
		}
	}
	if c.column >= mostColumns {
		return 0, fmt.Errorf("row %d has more than %d cells", s.row, mostColumns)
	}
	formula, value := false, false
	in := rich{}
	for done := false; !done; {
		e, err := s.xml.next()
		switch {
		case err != nil:
			return 0, torn(err)
		case e == chars && value:
			s.text = append(s.text, s.xml.text...)
		case e == chars:
		case s.xml.is("c"):
			done = true
		case s.xml.is("v"):
			value = e == opened
			continue
		case s.xml.is("f"):
			formula = true
		}
		if kind == 'i' {
			in.text = s.text
			in.add(s.xml, e)
			s.text = in.text
		}
	}
	c.end = len(s.text)
	return c.column, s.keep(c, kind, style, formula)
}

// kindOf returns the kind of a cell: number, shared text, boolean, error, text, inline text, or
// day.
func kindOf(v []byte) byte {
	switch string(v) {
	case "str":
		return 't'
	case "s", "b", "e", "inlineStr", "d":
		return v[0]
	}
	return 'n'
}

// keep adds a cell to the row, unless it is empty.
func (s *source) keep(c cell, kind byte, style int, formula bool) error {
	v := s.text[c.start:c.end]
	switch {
	case len(v) == 0 && formula && kind != 't':
		return s.wrong(c.column, "it has a formula whose value is not stored: open the workbook in a spreadsheet program and save it, or save the sheet as CSV")
	case len(v) == 0:
		return nil
	case kind == 'e':
		c.how = missing
	case kind == 'b':
		c.how = no
		if string(v) == "1" || string(v) == "true" {
			c.how = yes
		}
	case kind == 's':
		shared, ok := s.texts.text(v)
		if !ok {
			return s.wrong(c.column, fmt.Sprintf("the workbook has no shared text %.20q: it is damaged", v))
		}
		if c.shared, c.how = shared, text; len(shared) == 0 {
			return nil
		}
	case kind == 't' || kind == 'i':
		c.how = text
		s.text = unescaped(s.text, c.start)
		c.end = len(s.text)
	case kind == 'd':
		c.how = text
	default:
		return s.number(c, style)
	}
	s.cells = append(s.cells, c)
	return nil
}

// number adds a number or a date to the row.
func (s *source) number(c cell, style int) error {
	trimmed := bytes.TrimSpace(s.text[c.start:c.end])
	v, end := lines.Float(trimmed, 0)
	if end == 0 || end != len(trimmed) || math.IsInf(v, 0) {
		return s.wrong(c.column, fmt.Sprintf("%s is not a number", lines.Quote(trimmed)))
	}
	s.text = append(s.text[:c.start], trimmed...)
	c.end = len(s.text)
	if style < len(s.styles) && s.styles[style] != number {
		var ok bool
		c.start = c.end
		if s.text, ok = s.appendTime(s.text, v, s.styles[style]); !ok {
			return s.wrong(c.column, fmt.Sprintf("%v is not a date: the days of 1900 to 9999 are 0 to %d", v, lastDay))
		}
		c.end = len(s.text)
	}
	s.cells = append(s.cells, c)
	return nil
}

// columnOf returns the column of a reference such as AB12, counted from 0.
func columnOf(ref []byte) (column int, ok bool) {
	i := 0
	for ; i < len(ref) && 'A' <= ref[i] && ref[i] <= 'Z' && i < 4; i++ {
		column = column*26 + int(ref[i]-'A') + 1
	}
	if i == 0 || column > mostColumns {
		return 0, false
	}
	_, end := lines.Uint(ref, i)
	return column - 1, end == len(ref)
}
