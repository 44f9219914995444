package serve

import (
	"context"
	"fmt"
	"io"
	"math"

	"fsa/data"
	"fsa/data/kind"
	"fsa/internal/format/columnar"
)

// byColumn delivers columns, each of its own type, as rows.
type byColumn struct {
	schema    *data.Schema
	rows, row int
	copy      []func(to []float64, width, lo, hi int) // sets a column of rows lo to hi−1
}

var _ data.Reader = (*byColumn)(nil)

// moments lists the types of dates and times that columns may have. Their numbers are already those
// of the type.
var moments = map[string]columnar.When{"date": columnar.Days, "datetime": columnar.Seconds, "time": columnar.Clock}

func newByColumn(f *files, s *data.Schema, rows int, columns []column) (*byColumn, error) {
	if len(columns) != s.Width {
		return nil, &protocolError{fmt.Errorf("%d columns of %d are there", len(columns), s.Width)}
	}
	r := &byColumn{schema: s, rows: rows, copy: make([]func([]float64, int, int, int), len(columns))}
	s.Categories, s.Kinds = map[int][]string{}, map[int]kind.Column{}
	for j := range columns {
		c := &columns[j]
		if c.Length != rows {
			return nil, &protocolError{fmt.Errorf("column %d has %d cells for %d rows", j, c.Length, rows)}
		}
		if c.Kind != "" {
			when, known := moments[c.Kind]
			if !known || c.Levels != nil {
				return nil, &protocolError{fmt.Errorf("column %d is of no kind %q", j, c.Kind)}
			}
			s.Kinds[j], _ = when.Kind(nil, "")
		}
		var err error
		switch {
		case c.Levels != nil:
			s.Categories[j] = c.Levels
			r.copy[j], err = codes(f, c)
		case c.Type == "f4":
			r.copy[j], err = cells[float32](f, c)
		case c.Type == "f8":
			r.copy[j], err = cells[float64](f, c)
		case c.Type == "i4":
			r.copy[j], err = cells[int32](f, c)
		case c.Type == "i8":
			r.copy[j], err = cells[int64](f, c)
		default:
			err = unknownType(&c.array)
		}
		if err != nil {
			return nil, err
		}
	}
	return r, nil
}

// cells returns a function that copies a column of numbers.
func cells[T float32 | float64 | int32 | int64](f *files, c *column) (func([]float64, int, int, int), error) {
	from, err := numbers[T](f, &c.array)
	return func(to []float64, width, lo, hi int) {
		for i, v := range from[lo:hi] {
			to[i*width] = float64(v)
		}
	}, err
}

// codes returns a function that copies a column of categories.
func codes(f *files, c *column) (func([]float64, int, int, int), error) {
	from, err := numbers[int32](f, &c.array)
	if err != nil {
		return nil, err
	}
	if c.Type != "i4" {
		return nil, &protocolError{fmt.Errorf("categories of type %q: it must be i4", c.Type)}
	}
	for i, v := range from {
		if int(v) >= len(c.Levels) {
			return nil, &protocolError{fmt.Errorf("category %d of %d in row %d", v, len(c.Levels), i+1)}
		}
	}
	return func(to []float64, width, lo, hi int) {
		for i, v := range from[lo:hi] {
			if to[i*width] = float64(v); v < 0 || int(v) >= len(c.Levels) { // it may have changed in the meantime
				to[i*width] = math.NaN()
			}
		}
	}, nil
}

// Schema implements [data.Reader].
func (r *byColumn) Schema() *data.Schema { return r.schema }

// Close implements [data.Reader].
func (r *byColumn) Close() error { return nil }

// Next implements [data.Reader].
func (r *byColumn) Next(ctx context.Context) (*data.Block, error) {
	if r.row == r.rows {
		return nil, io.EOF
	}
	width := r.schema.Width
	n := min(blockRows(width), r.rows-r.row)
	b := &data.Block{Rows: n, Dense: make([]float64, n*width)}
	for j, set := range r.copy {
		set(b.Dense[j:], width, r.row, r.row+n)
	}
	r.row += n
	return b, ctx.Err()
}
