package serve

import (
	"context"
	"io"

	"fsa/data"
	"fsa/internal/parallel"
)

// Tiles that a transposition goes by, so that what is read and written stays in the cache.
const (
	tileRows    = 64
	tileColumns = 16
)

// transpose sets rows lo to hi−1 of a table from columns of so many rows each, which lie one
// after the other.
func transpose[T float32 | float64](to, from []T, rows, lo, hi int) {
	columns := len(from) / rows
	for top := lo; top < hi; top += tileRows {
		bottom := min(top+tileRows, hi)
		for left := 0; left < columns; left += tileColumns {
			right := min(left+tileColumns, columns)
			for i := top; i < bottom; i++ {
				row := to[(i-lo)*columns+left : (i-lo)*columns+right]
				at := left*rows + i
				for j := range row {
					row[j] = from[at]
					at += rows
				}
			}
		}
	}
}

// rowsOf returns columns as rows.
func rowsOf(ctx context.Context, from []float32, rows int) ([]float32, error) {
	to := make([]float32, len(from))
	columns, step := len(from)/rows, 4*tileRows
	return to, parallel.Do(ctx, 0, (rows+step-1)/step, func(_, s int) error {
		lo, hi := s*step, min((s+1)*step, rows)
		transpose(to[lo*columns:hi*columns], from, rows, lo, hi)
		return nil
	})
}

// byFortran delivers float64 numbers that lie column after column.
type byFortran struct {
	x         []float64
	schema    *data.Schema
	rows, row int
}

var _ data.Reader = (*byFortran)(nil)

// Schema implements [data.Reader].
func (r *byFortran) Schema() *data.Schema { return r.schema }

// Close implements [data.Reader].
func (r *byFortran) Close() error { return nil }

// Next implements [data.Reader].
func (r *byFortran) Next(ctx context.Context) (*data.Block, error) {
	if r.row == r.rows {
		return nil, io.EOF
	}
	n := min(blockRows(r.schema.Width), r.rows-r.row)
	b := &data.Block{Rows: n, Dense: make([]float64, n*r.schema.Width)}
	transpose(b.Dense, r.x, r.rows, r.row, r.row+n)
	r.row += n
	return b, ctx.Err()
}
