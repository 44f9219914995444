package matrix

import (
	"context"

	"fsa/internal/parallel"
)

// tileRows is the number of rows of a tile, except for the last one: enough that a table of 256
// numbers is cheap in comparison, and few enough that one number per row fits into the
// first-level cache.
const tileRows = 1024

// byteTiles are the tiles of a matrix of bytes, and the columns that are its variables.
type byteTiles struct {
	rows   int
	stride int       // number of columns per tile
	at     []int     // column of each variable
	tiles  [][]uint8 // tiles, column after column
}

// Cells implements [Matrix].
func (b *byteTiles) Cells() int { return b.rows * len(b.at) }

// BlockRows implements [Matrix]. Half a tile is enough for a table, and gives more blocks to share
// among threads.
func (b *byteTiles) BlockRows() int { return tileRows / 2 }

// Sequential implements [Sequential]: a table of contributions pays only for contiguous rows.
func (b *byteTiles) Sequential() bool { return true }

// FreeDrop implements [FreeDrop]: dropped variables are skipped.
func (b *byteTiles) FreeDrop() bool { return true }

// run returns the bytes of variable v from row lo on, to row hi−1 or the end of
// the tile.
func (b *byteTiles) run(v, lo, hi int) []uint8 {
	tile := lo / tileRows
	first := tile * tileRows
	height := min(tileRows, b.rows-first)
	column := b.tiles[tile][b.at[v]*height : (b.at[v]+1)*height]
	return column[lo-first : min(hi-first, height)]
}

// pick returns the given rows and variables; nil means all. If all rows are wanted, nothing is
// copied.
func (b *byteTiles) pick(ctx context.Context, rows, vars []int) (byteTiles, error) {
	to := *b
	if vars != nil {
		to.at = make([]int, len(vars))
		for k, v := range vars {
			to.at[k] = b.at[v]
		}
	}
	if rows == nil {
		return to, ctx.Err()
	}
	from := to
	to.rows, to.stride, to.at, to.tiles = len(rows), len(from.at), orAll(nil, len(from.at)), nil
	for lo := 0; lo < to.rows; lo += tileRows {
		to.tiles = append(to.tiles, make([]uint8, min(tileRows, to.rows-lo)*to.stride))
	}
	return to, from.gather(ctx, &to, rows)
}

// gather sets row i of to, which has the same variables, to rows[i] of b. The two matrices may be
// the same.
func (b *byteTiles) gather(ctx context.Context, to *byteTiles, rows []int) error {
	const stripe = 16 // number of variables per thread
	parallel.Each((len(b.at)+stripe-1)/stripe, func(s int) {
		column := make([]uint8, b.rows)
		for v := s * stripe; v < min((s+1)*stripe, len(b.at)); v++ {
			if ctx.Err() != nil {
				return
			}
			for lo := 0; lo < b.rows; lo += tileRows {
				copy(column[lo:], b.run(v, lo, b.rows))
			}
			for lo := 0; lo < to.rows; lo += tileRows {
				run := to.run(v, lo, to.rows)
				for i, row := range rows[lo : lo+len(run)] {
					run[i] = column[row]
				}
			}
		}
	})
	return ctx.Err()
}

// byteTable holds a number for each byte.
type byteTable [256]float64

// byteCells maps the bytes of a variable to cells.
type byteCells interface {
	// table sets t to the product of beta with the cells of each byte of variable v. It
	// reports whether any product is not zero.
	table(t *byteTable, v int, beta []float64) bool
	// fold adds the cells of each byte of variable v, times its sum, to g.
	fold(g []float64, v int, sums *byteTable)
}

// byteRows are rows lo to hi−1 of a matrix of bytes. Products take four variables at a time, which
// a processor handles in parallel.
type byteRows struct {
	*byteTiles
	cells  byteCells
	lo, hi int
}

// lanes is the number of variables that a product takes at a time.
const lanes = 4

// Mul implements [Rows].
func (r byteRows) Mul(z, beta []float64) {
	clear(z)
	var t [lanes]byteTable
	var vars [lanes]int
	n := 0
	for v := range r.at {
		if r.cells.table(&t[n], v, beta) {
			vars[n] = v
			n++
		}
		if n == lanes || n > 0 && v == len(r.at)-1 {
			for ; n < lanes; n++ { // padding with zeros
				vars[n] = v
				clear(t[n][:])
			}
			r.each(&vars, func(at int, runs *[lanes][]uint8) { lookup(z[at:at+len(runs[0])], &t, runs) })
			n = 0
		}
	}
}

// MulT implements [Rows].
func (r byteRows) MulT(g, x []float64) {
	r.histogram(x, func(v int, sums *byteTable) { r.cells.fold(g, v, sums) })
}

// histogram calls do for each variable, with the sums of x over the rows of each byte value.
func (r byteRows) histogram(x []float64, do func(v int, sums *byteTable)) {
	var t [lanes]byteTable
	var vars [lanes]int
	for first := 0; first < len(r.at); first += lanes {
		n := min(lanes, len(r.at)-first)
		for k := range vars {
			vars[k] = first + min(k, n-1)
			clear(t[k][:])
		}
		r.each(&vars, func(at int, runs *[lanes][]uint8) { histogram(&t, runs, x[at:at+len(runs[0])]) })
		for k := range n {
			do(vars[k], &t[k])
		}
	}
}

// histogramAll calls do, on several threads, for each variable with the sums of x
// over all rows of each byte.
func (b *byteTiles) histogramAll(ctx context.Context, x []float64, do func(v int, sums *byteTable)) error {
	const stripe = 16 * lanes // number of variables per thread
	parallel.Each((len(b.at)+stripe-1)/stripe, func(s int) {
		if ctx.Err() != nil {
			return
		}
		first := s * stripe
		part := *b
		part.at = b.at[first:min(first+stripe, len(b.at))]
		byteRows{&part, nil, 0, b.rows}.histogram(x, func(v int, sums *byteTable) { do(first+v, sums) })
	})
	return ctx.Err()
}

// each calls do for the bytes of four variables in each tile; at is the index of their first row,
// counted from lo.
func (r byteRows) each(vars *[lanes]int, do func(at int, runs *[lanes][]uint8)) {
	var runs [lanes][]uint8
	for at := r.lo; at < r.hi; at += len(runs[0]) {
		for k, v := range vars {
			runs[k] = r.run(v, at, r.hi)
		}
		do(at-r.lo, &runs)
	}
}

// lookup adds the entries of the tables for the bytes of each row.
func lookup(z []float64, t *[lanes]byteTable, runs *[lanes][]uint8) {
	a, b, c, d := runs[0][:len(z)], runs[1][:len(z)], runs[2][:len(z)], runs[3][:len(z)]
	for i := range z {
		z[i] += (t[0][a[i]] + t[1][b[i]]) + (t[2][c[i]] + t[3][d[i]])
	}
}

// histogram adds the number of each row to the sum of its byte: a weighted histogram.
func histogram(t *[lanes]byteTable, runs *[lanes][]uint8, x []float64) {
	a, b, c, d := runs[0][:len(x)], runs[1][:len(x)], runs[2][:len(x)], runs[3][:len(x)]
	for i, v := range x {
		t[0][a[i]] += v
		t[1][b[i]] += v
		t[2][c[i]] += v
		t[3][d[i]] += v
	}
}
