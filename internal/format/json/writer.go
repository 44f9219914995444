package json

import (
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/lines"
)

// Writer writes a dense table as lines of JSON. A number is written as the shortest text that
// parses to the same number; a missing cell is null. Labels and queries are not written.
type Writer struct {
	w      io.Writer
	schema *data.Schema
	keys   []string // the keys, each with its colon
	buf    []byte
}

var _ data.Writer = (*Writer)(nil)

// NewWriter starts a table on w. The categories of text columns may grow, as long as those of a
// block exist when it is written.
func NewWriter(w io.Writer, s *data.Schema) (*Writer, error) {
	if s.Sparse {
		return nil, errors.New("json: a sparse table would be written mostly as zeros: use svmlight")
	}
	wr := &Writer{w: w, schema: s}
	seen := make(map[string]bool, s.Width)
	for j := range s.Width {
		if seen[s.Name(j)] {
			return nil, fmt.Errorf("json: two columns have the name %q, and an object has each key once", s.Name(j))
		}
		seen[s.Name(j)] = true
		wr.keys = append(wr.keys, string(append(appendText(nil, s.Name(j)), ':')))
	}
	return wr, nil
}

// Write writes the rows of b.
func (w *Writer) Write(b *data.Block) error {
	for i := range b.Rows {
		for j, v := range b.Dense[i*w.schema.Width : (i+1)*w.schema.Width] {
			w.buf = append(w.buf, "{,"[min(j, 1)])
			w.buf = append(w.buf, w.keys[j]...)
			if err := w.cell(j, v); err != nil {
				return err
			}
		}
		w.buf = append(w.buf, "}\n"...)
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
		return fmt.Errorf("json: column %s: an infinity cannot be written", w.schema.Name(j))
	case math.IsNaN(v):
		w.buf = append(w.buf, "null"...)
	case isText:
		text := categories[int(v)]
		if w.schema.KindOf(j).Kind == kind.Boolean && (text == "true" || text == "false") {
			w.buf = append(w.buf, text...)
		} else {
			w.buf = appendText(w.buf, text)
		}
	default:
		w.buf = lines.AppendFloat(w.buf, v)
	}
	return nil
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

// appendText appends a text in quotation marks.
func appendText(dst []byte, text string) []byte {
	dst = append(dst, '"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
