package serve

import (
	"context"
	"fmt"
	"io"
	"slices"

	"fsa/data"
)

// byCell delivers the rows of a sparse matrix in compressed rows. Columns of a row are ascending,
// which the client ensures.
type byCell struct {
	schema    *data.Schema
	rows, row int
	start     []int64
	index     []int32
	value     func(to []float64, lo int) // sets values of the cells from lo on
}

var _ data.Reader = (*byCell)(nil)

func (s *sparse) reader(ctx context.Context, f *files, schema *data.Schema, rows int) (*byCell, error) {
	r := &byCell{schema: schema, rows: rows}
	var err error
	if s.Start.Type != "i8" || s.Index.Type != "i4" {
		return nil, &protocolError{fmt.Errorf("ends of type %q and positions of type %q: they must be i8 and i4", s.Start.Type, s.Index.Type)}
	}
	if r.start, err = numbers[int64](f, &s.Start); err != nil {
		return nil, err
	}
	r.start = slices.Clone(r.start) // the data must not change after they were checked
	if r.index, err = numbers[int32](f, &s.Index); err != nil {
		return nil, err
	}
	lines := rows
	if s.Columns {
		lines = schema.Width
	}
	if len(r.start) != lines+1 || r.start[0] != 0 || r.start[lines] != int64(len(r.index)) || s.Value.Length != len(r.index) {
		return nil, &protocolError{fmt.Errorf("%d ends for %d rows or columns, %d positions for %d values", len(r.start)-1, lines, len(r.index), s.Value.Length)}
	}
	switch s.Value.Type {
	case "f4":
		return r, setValues[float32](ctx, r, f, s)
	case "f8":
		return r, setValues[float64](ctx, r, f, s)
	}
	return nil, unknownType(&s.Value)
}

// setValues gives a reader its values, and converts columns to rows.
func setValues[T float32 | float64](ctx context.Context, r *byCell, f *files, s *sparse) error {
	from, err := numbers[T](f, &s.Value)
	if err == nil && s.Columns {
		r.start, r.index, from, err = byRows(ctx, r.start, r.index, from, r.rows)
	}
	r.value = func(to []float64, lo int) {
		for i := range to {
			to[i] = float64(from[lo+i])
		}
	}
	return err
}

// Schema implements [data.Reader].
func (r *byCell) Schema() *data.Schema { return r.schema }

// Close implements [data.Reader].
func (r *byCell) Close() error { return nil }

// Next implements [data.Reader].
func (r *byCell) Next(ctx context.Context) (*data.Block, error) {
	if r.row == r.rows {
		return nil, io.EOF
	}
	n := min(blockRows(len(r.index)/r.rows+1), r.rows-r.row)
	first, last := r.start[r.row], r.start[r.row+n]
	if first < 0 || last < first || last > int64(len(r.index)) {
		return nil, &protocolError{fmt.Errorf("the cells of rows %d to %d lie from %d to %d", r.row, r.row+n-1, first, last)}
	}
	b := &data.Block{Rows: n, Start: make([]int, n+1), Index: make([]uint32, last-first), Value: make([]float64, last-first)}
	for i := range n + 1 {
		b.Start[i] = int(r.start[r.row+i] - first)
		if i > 0 && (b.Start[i] < b.Start[i-1] || b.Start[i] > len(b.Index)) {
			return nil, &protocolError{fmt.Errorf("the cells of row %d end before they begin", r.row+i-1)}
		}
	}
	r.value(b.Value, int(first))
	for i := range n {
		for p := b.Start[i]; p < b.Start[i+1]; p++ {
			j := r.index[int(first)+p]
			b.Index[p] = uint32(j)
			if j < 0 || int(j) >= r.schema.Width || p > b.Start[i] && b.Index[p] <= b.Index[p-1] {
				return nil, &protocolError{fmt.Errorf("row %d has a cell in column %d of %d, out of order or twice", r.row+i, j, r.schema.Width)}
			}
		}
	}
	r.row += n
	return b, ctx.Err()
}
