package serve

import (
	"context"
	"io"

	"fsa/data"
	"fsa/internal/kernel"
	"fsa/internal/parallel"
)

// Tiles of a transposition: what a thread reads and writes stays in the cache until it is used.
const (
	stripeColumns = 16 * kernel.Line
	stripeRows    = 64
)

// transpose sets rows lo to hi−1 of a table, on all cores, from columns of the given number of
// rows, which are stored one after another.
func transpose[T float32 | float64](ctx context.Context, to, from []T, rows, lo, hi int) error {
	columns := len(from) / rows
	across, down := (columns+stripeColumns-1)/stripeColumns, (hi-lo+stripeRows-1)/stripeRows
	return parallel.Do(ctx, 0, across*down, func(_, s int) error {
		top, left := lo+s/across*stripeRows, s%across*stripeColumns
		bottom, right := min(top+stripeRows, hi), min(left+stripeColumns, columns)
		kernel.FromColumns(to[(top-lo)*columns+left:], columns, from[left*rows+top:], rows, right-left, bottom-top)
		return nil
	})
}

// blocksAtATime is the number of blocks that are transposed together: some thousand consecutive
// bytes of a column should be read at once, to reach the speed of memory.
const blocksAtATime = 2

// byFortran delivers float64 numbers that are stored column after column.
type byFortran struct {
	x         []float64
	schema    *data.Schema
	rows, row int

	cells []float64 // rows that were transposed together
	ahead []float64 // those of them that were not delivered yet
	lent  *int      // blocks of them that are still in use
}

var _ data.Sized = (*byFortran)(nil)

// Size implements [data.Sized].
func (r *byFortran) Size() (rows, cells int64) { return int64(r.rows), int64(len(r.x)) }

// Schema implements [data.Reader].
func (r *byFortran) Schema() *data.Schema { return r.schema }

// Close implements [data.Reader].
func (r *byFortran) Close() error { return nil }

// Next implements [data.Reader].
func (r *byFortran) Next(ctx context.Context) (*data.Block, error) {
	if r.row == r.rows {
		return nil, io.EOF
	}
	if len(r.ahead) == 0 {
		if err := r.transposeMore(ctx); err != nil {
			return nil, err
		}
	}
	width := r.schema.Width
	n := min(blockRows(width), r.rows-r.row)
	lent := r.lent
	*lent++
	b := &data.Block{Rows: n, Dense: r.ahead[: n*width : n*width], Reuse: func() { *lent-- }}
	r.row, r.ahead = r.row+n, r.ahead[n*width:]
	return b, ctx.Err()
}

func (r *byFortran) transposeMore(ctx context.Context) error {
	width := r.schema.Width
	n := min(blocksAtATime*blockRows(width), r.rows-r.row)
	if len(r.cells) < n*width || *r.lent > 0 {
		r.cells, r.lent = make([]float64, n*width), new(int)
	}
	r.ahead = r.cells[:n*width]
	return transpose(ctx, r.ahead, r.x, r.rows, r.row, r.row+n)
}
