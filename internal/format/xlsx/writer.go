package xlsx

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/lines"
)

// The contents of a workbook with one sheet, without its cells.
const (
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	schemas       = "http://schemas.openxmlformats.org/"
	officeRelated = schemas + "officeDocument/2006/relationships"
	contentTypes  = xmlHead + `<Types xmlns="` + schemas + `package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`
	rootRelations = xmlHead + `<Relationships xmlns="` + schemas + `package/2006/relationships"><Relationship Id="rId1" Type="` + officeRelated + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	bookRelations = xmlHead + `<Relationships xmlns="` + schemas + `package/2006/relationships"><Relationship Id="rId1" Type="` + officeRelated + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
	workbook      = xmlHead + `<workbook xmlns="` + schemas + `spreadsheetml/2006/main" xmlns:r="` + officeRelated + `"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`
	sheetHead     = xmlHead + `<worksheet xmlns="` + schemas + `spreadsheetml/2006/main"><sheetData>`
	sheetTail     = `</sheetData></worksheet>`
)

// mostLetters is the longest text of a cell, in characters.
const mostLetters = 32767

// Writer writes a dense table as the only sheet of a workbook. A missing cell is empty. Labels and
// queries are not written.
type Writer struct {
	zip     *zip.Writer
	sheet   io.Writer
	schema  *data.Schema
	letters []string // of the columns
	row     int
	buf     []byte
}

var _ data.Writer = (*Writer)(nil)

// NewWriter starts a workbook on w with the names of the columns.
func NewWriter(w io.Writer, s *data.Schema) (*Writer, error) {
	switch {
	case s.Sparse:
		return nil, errors.New("xlsx: a sparse table would be written mostly as zeros: use svmlight")
	case s.Width > mostColumns:
		return nil, fmt.Errorf("xlsx: a sheet has at most %d columns, and the table has %d: write CSV", mostColumns, s.Width)
	}
	wr := &Writer{zip: zip.NewWriter(w), schema: s}
	for _, part := range []struct{ name, text string }{
		{"[Content_Types].xml", contentTypes}, {"_rels/.rels", rootRelations}, {"xl/workbook.xml", workbook},
		{"xl/_rels/workbook.xml.rels", bookRelations}, {"xl/worksheets/sheet1.xml", sheetHead},
	} {
		var err error
		if wr.sheet, err = wr.zip.Create(part.name); err != nil {
			return nil, err
		}
		if _, err = io.WriteString(wr.sheet, part.text); err != nil {
			return nil, err
		}
	}
	wr.begin()
	for j := range s.Width {
		wr.letters = append(wr.letters, letters(j))
		if err := wr.text(j, s.Name(j)); err != nil {
			return nil, err
		}
	}
	return wr, wr.end(0)
}

// Write writes the rows of b.
func (w *Writer) Write(b *data.Block) error {
	for i := range b.Rows {
		if w.row == mostRows {
			return fmt.Errorf("xlsx: a sheet has at most %d rows, and the table has more: write CSV", mostRows)
		}
		w.begin()
		for j, v := range b.Dense[i*w.schema.Width : (i+1)*w.schema.Width] {
			if err := w.cell(j, v); err != nil {
				return err
			}
		}
		if err := w.end(1 << 16); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the workbook, after all rows.
func (w *Writer) Close() error {
	w.buf = append(w.buf, sheetTail...)
	_, err := w.sheet.Write(w.buf)
	return errors.Join(err, w.zip.Close())
}

// begin starts a row.
func (w *Writer) begin() {
	w.row++
	w.buf = append(w.buf, `<row r="`...)
	w.buf = strconv.AppendInt(w.buf, int64(w.row), 10)
	w.buf = append(w.buf, `">`...)
}

// end ends a row, and writes the buffer if it has more than least bytes.
func (w *Writer) end(least int) error {
	w.buf = append(w.buf, "</row>"...)
	if len(w.buf) <= least {
		return nil
	}
	_, err := w.sheet.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}

func (w *Writer) cell(j int, v float64) error {
	categories, isText := w.schema.Categories[j]
	switch {
	case math.IsInf(v, 0):
		return fmt.Errorf("xlsx: column %s: an infinity cannot be written", w.schema.Name(j))
	case math.IsNaN(v):
		if w.schema.Width == 1 { // a blank row would be skipped
			w.tag(j, ` t="e"><v>#N/A</v></c>`)
		}
	case isText:
		text := categories[int(v)]
		if w.schema.KindOf(j).Kind != kind.Boolean || text != "true" && text != "false" {
			return w.text(j, text)
		}
		w.tag(j, map[string]string{"true": ` t="b"><v>1</v></c>`, "false": ` t="b"><v>0</v></c>`}[text])
	default:
		w.tag(j, "><v>")
		w.buf = append(lines.AppendFloat(w.buf, v), "</v></c>"...)
	}
	return nil
}

// tag starts the cell of column j.
func (w *Writer) tag(j int, rest string) {
	w.buf = append(w.buf, `<c r="`...)
	w.buf = append(w.buf, w.letters[j]...)
	w.buf = strconv.AppendInt(w.buf, int64(w.row), 10)
	w.buf = append(append(w.buf, '"'), rest...)
}

// text writes a name or a category.
func (w *Writer) text(j int, text string) error {
	if utf8.RuneCountInString(text) > mostLetters {
		return fmt.Errorf("xlsx: column %s: a cell has at most %d characters: write CSV", w.schema.Name(j), mostLetters)
	}
	w.tag(j, ` t="inlineStr"><is><t xml:space="preserve">`)
	for i, r := range text {
		switch {
		case r == '&':
			w.buf = append(w.buf, "&amp;"...)
		case r == '<':
			w.buf = append(w.buf, "&lt;"...)
		case r == '>':
			w.buf = append(w.buf, "&gt;"...)
		case r < ' ' && r != '\t' && r != '\n', r == 0xfffe, r == 0xffff:
			w.buf = fmt.Appendf(w.buf, "_x%04X_", r)
		case r == '_' && strings.HasPrefix(text[i:], "_x"):
			w.buf = append(w.buf, "_x005F_"...)
		default:
			w.buf = utf8.AppendRune(w.buf, r)
		}
	}
	w.buf = append(w.buf, "</t></is></c>"...)
	return nil
}
