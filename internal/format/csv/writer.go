package csv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"fsa/data"
	"fsa/internal/lines"
)

// Writer writes a dense table as comma-separated text with a header. A number is written as the
// shortest text that parses to the same number, a missing value as an empty cell. Labels and
// queries are not written.
type Writer struct {
	w      io.Writer
	schema *data.Schema
	buf    []byte
}

var _ data.Writer = (*Writer)(nil)

// NewWriter writes the header of a table on w. The categories of text columns may grow, as long as
// those of a block exist when it is written.
func NewWriter(w io.Writer, s *data.Schema) (*Writer, error) {
	if s.Sparse {
		return nil, errors.New("csv: a sparse table would be written mostly as zeros: use svmlight")
	}
	wr := &Writer{w: w, schema: s}
	for j := range s.Width {
		wr.text(s.Name(j))
		wr.end(j)
	}
	return wr, wr.flush(0)
}

// Write writes the rows of b.
func (w *Writer) Write(b *data.Block) error {
	for i := range b.Rows {
		for j, v := range b.Dense[i*w.schema.Width : (i+1)*w.schema.Width] {
			if err := w.cell(j, v); err != nil {
				return err
			}
			w.end(j)
		}
		if err := w.flush(1 << 16); err != nil {
			return err
		}
	}
	return w.flush(0)
}

// Close ends the table, after all rows.
func (w *Writer) Close() error { return nil }

func (w *Writer) cell(j int, v float64) error {
	categories, isText := w.schema.Categories[j]
	switch {
	case math.IsInf(v, 0):
		return fmt.Errorf("csv: column %s: an infinity cannot be written", w.schema.Name(j))
	case math.IsNaN(v) && w.schema.Width > 1:
	case math.IsNaN(v):
		w.buf = append(w.buf, `""`...) // the line must not be blank
	case isText:
		w.text(categories[int(v)])
	default:
		w.buf = lines.AppendFloat(w.buf, v)
	}
	return nil
}

// text appends a name or a category, in quotation marks if it would be read as something else
// without them.
func (w *Writer) text(s string) {
	_, isNumber := number([]byte(s))
	if !isNumber && !lines.Missing([]byte(s)) && !strings.ContainsAny(s, ",;|\t\"\n\r") && strings.TrimSpace(s) == s {
		w.buf = append(w.buf, s...)
		return
	}
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, bytes.ReplaceAll([]byte(s), []byte(`"`), []byte(`""`))...)
	w.buf = append(w.buf, '"')
}

// end appends the separator after the cell of column j.
func (w *Writer) end(j int) {
	if j == w.schema.Width-1 {
		w.buf = append(w.buf, '\n')
	} else {
		w.buf = append(w.buf, ',')
	}
}

// flush writes the buffer if it has more than least bytes.
func (w *Writer) flush(least int) error {
	if len(w.buf) <= least {
		return nil
	}
	_, err := w.w.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}
