package serve

import (
	"context"
	"io"

	"fsa/data"
)

// byRow delivers float64 numbers that are stored row after row.
type byRow struct {
	x         []float64
	schema    *data.Schema
	rows, row int
}

var _ data.Sized = (*byRow)(nil)

// Size implements [data.Sized].
func (r *byRow) Size() (rows, cells int64) { return int64(r.rows), int64(len(r.x)) }

// Schema implements [data.Reader].
func (r *byRow) Schema() *data.Schema { return r.schema }

// Close implements [data.Reader].
func (r *byRow) Close() error { return nil }

// Next implements [data.Reader]. Nothing is copied.
func (r *byRow) Next(ctx context.Context) (*data.Block, error) {
	if r.row == r.rows {
		return nil, io.EOF
	}
	width := r.schema.Width
	n := min(blockRows(width), r.rows-r.row)
	b := &data.Block{Rows: n, Dense: r.x[r.row*width : (r.row+n)*width]}
	r.row += n
	return b, ctx.Err()
}

// blockRows returns the number of rows of a block, given the cells of a row: the same as for a .npy
// file, so that the same numbers are stored in the same way.
func blockRows(cells int) int { return max(1, 1<<17/max(cells, 1)) }
