package svmlight

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"fsa/data"
	"fsa/internal/lines"
)

// Writer writes a table in SVMlight format. Of a dense block it writes the nonzero cells, of a
// sparse one those that are listed.
type Writer struct {
	w      io.Writer
	schema *data.Schema
	buf    []byte
	begun  bool
	query  bool // rows have queries
}

var _ data.Writer = (*Writer)(nil)

// NewWriter returns a writer on w. Text columns cannot be written.
func NewWriter(w io.Writer, s *data.Schema) (*Writer, error) {
	for j := range s.Categories {
		return nil, fmt.Errorf("svmlight: column %s holds text, and only numbers can be written", s.Name(j))
	}
	return &Writer{w: w, schema: s}, nil
}

// Write writes the rows of b. A row without a label gets the label 0.
func (w *Writer) Write(b *data.Block) error {
	if w.begun && w.query != (b.Query != nil) {
		return errors.New("svmlight: some blocks have queries and some have none")
	}
	w.begun, w.query = true, b.Query != nil
	for i := range b.Rows {
		label := 0.0
		if b.Label != nil {
			label = b.Label[i]
		}
		if err := w.number(label); err != nil {
			return err
		}
		if b.Query != nil {
			w.buf = append(w.buf, " qid:"...)
			w.buf = strconv.AppendInt(w.buf, b.Query[i], 10)
		}
		if err := w.cells(b, i); err != nil {
			return err
		}
		w.buf = append(w.buf, '\n')
		if len(w.buf) > 1<<16 {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return w.flush()
}

// Close ends the table, after all rows.
func (w *Writer) Close() error { return nil }

func (w *Writer) cells(b *data.Block, i int) error {
	if w.schema.Sparse {
		for p := b.Start[i]; p < b.Start[i+1]; p++ {
			if err := w.cell(int(b.Index[p]), b.Value[p]); err != nil {
				return err
			}
		}
		return nil
	}
	for j, v := range b.Dense[i*w.schema.Width : (i+1)*w.schema.Width] {
		if v != 0 {
			if err := w.cell(j, v); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer) cell(j int, v float64) error {
	w.buf = append(w.buf, ' ')
	w.buf = strconv.AppendInt(w.buf, int64(j)+1, 10)
	w.buf = append(w.buf, ':')
	return w.number(v)
}

func (w *Writer) number(v float64) error {
	switch {
	case math.IsInf(v, 0):
		return errors.New("svmlight: an infinity cannot be written")
	case math.IsNaN(v):
		w.buf = append(w.buf, "nan"...)
	default:
		w.buf = lines.AppendFloat(w.buf, v)
	}
	return nil
}

func (w *Writer) flush() error {
	_, err := w.w.Write(w.buf)
	w.buf = w.buf[:0]
	return err
}
