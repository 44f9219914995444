package paged

import (
	"sync"

	"fsa/internal/kernel"
	"fsa/internal/parallel"
)

// tiles are rows lo to hi−1 of a page of rows. In a tile of several rows the numbers of a column
// are contiguous, as in a file that is stored by columns. Transposing them would take longer than
// multiplying them in this order, because a product with columns is one with rows the other way
// round.
type tiles struct {
	x          []float32
	cols, rows int // size of the page
	tile       int // rows per tile
	lo, hi     int
	spare      *sync.Pool // buffers of numbers, one per column
}

// each calls do for the tiles, with the index in the page of their first row and the numbers of the
// tile.
func (t *tiles) each(do func(first, rows int, x []float32)) {
	for first := t.lo - t.lo%t.tile; first < t.hi; first += t.tile {
		rows := min(t.tile, t.rows-first)
		do(first, rows, t.x[first*t.cols:(first+rows)*t.cols])
	}
}

// Mul implements [matrix.Rows].
func (t *tiles) Mul(z, beta []float64) {
	if t.tile == 1 {
		kernel.Mul(z, t.x[t.lo*t.cols:t.hi*t.cols], beta)
		return
	}
	clear(z)
	var room []float64 // for tiles with rows that are not requested
	t.each(func(first, rows int, x []float32) {
		if t.lo <= first && first+rows <= t.hi {
			kernel.MulT(z[first-t.lo:first-t.lo+rows], x, beta)
			return
		}
		if room == nil {
			room = make([]float64, t.tile)
		}
		clear(room)
		kernel.MulT(room[:rows], x, beta)
		lo, hi := max(t.lo, first), min(t.hi, first+rows)
		copy(z[lo-t.lo:], room[lo-first:hi-first])
	})
}

// MulT implements [matrix.Rows].
func (t *tiles) MulT(g, r []float64) {
	if t.tile == 1 {
		kernel.MulT(g, t.x[t.lo*t.cols:t.hi*t.cols], r)
		return
	}
	sums, _ := t.spare.Get().(*[]float64)
	if sums == nil || cap(*sums) < t.cols {
		sums = new(make([]float64, t.cols))
	}
	defer t.spare.Put(sums)
	s := (*sums)[:t.cols]
	t.each(func(first, rows int, x []float32) {
		part := make([]float64, rows) // rows that are not requested count as zero
		lo, hi := max(t.lo, first), min(t.hi, first+rows)
		copy(part[lo-first:], r[lo-t.lo:hi-t.lo])
		kernel.Mul(s, x, part)
		for j, v := range s {
			g[j] += v
		}
	})
}

// fill replaces missing numbers by the given number of their column.
func (t *tiles) fill(numbers []float32) {
	t.each(func(_, rows int, x []float32) {
		for j, to := range numbers {
			run := x[j*rows : (j+1)*rows]
			for i, v := range run {
				if v != v {
					run[i] = to
				}
			}
		}
	})
}

// copyTo copies all rows of the page, on all cores.
func (t *tiles) copyTo(rows [][]float32) {
	const few = 64 // minimal number of rows per thread, unless it is a tile
	step := max(t.tile, few/t.tile*t.tile)
	parallel.Each((t.rows+step-1)/step, func(s int) {
		part := *t
		part.lo, part.hi = s*step, min((s+1)*step, t.rows)
		part.each(func(first, n int, x []float32) { transpose(rows[first:first+n], x) })
	})
}

// rowMajor returns all rows of the page, row after row.
func (t *tiles) rowMajor() []float32 {
	if t.tile == 1 {
		return t.x
	}
	all := make([]float32, t.rows*t.cols)
	rows := make([][]float32, t.rows)
	for i := range rows {
		rows[i] = all[i*t.cols : (i+1)*t.cols]
	}
	t.copyTo(rows)
	return all
}

// transpose sets rows to a tile whose numbers are stored column after column.
func transpose(rows [][]float32, x []float32) {
	const side = 16 // a cache line in both
	n := len(rows)
	if n == 1 {
		copy(rows[0], x)
		return
	}
	for top := 0; top < n; top += side {
		few := rows[top:min(top+side, n)]
		for j := 0; j < len(rows[0]); j += side {
			for i, row := range few {
				for k := j; k < min(j+side, len(row)); k++ {
					row[k] = x[k*n+top+i]
				}
			}
		}
	}
}
