package objective

import (
	"context"

	"fsa/internal/matrix"
	"fsa/internal/parallel"
	"fsa/prior"
)

// Columns returns the columns of the remaining groups, scaled and centred, group after group, and the
// strength λ of the prior on each besides the ridge. It is meant for the few columns of a selection.
func (ob *Objective) Columns(ctx context.Context) (x [][]float64, penalty []float64, err error) {
	if err := ob.Narrow(ctx); err != nil {
		return nil, nil, err
	}
	rows, _ := ob.x.Dims()
	var list []int // columns of x, in the order of the coefficients
	for j := range ob.groups.Count() {
		for _, v := range ob.groups.Of(j) {
			lo, hi := ob.columns.of(v)
			for p := lo; p < hi; p++ {
				list = append(list, p)
			}
		}
	}
	x = make([][]float64, len(list))
	for i := range x {
		x[i] = make([]float64, rows)
	}
	if plain, ok := ob.x.(matrix.RowReader); ok {
		err = readRows(ctx, ob, list, x, func(_, row int) []float32 { return plain.Row(row) })
	} else if expand := matrix.Expanding(ob.x); expand != nil {
		_, cols := ob.x.Dims()
		var cells [sideBySide][]float64
		for i := range cells {
			cells[i] = make([]float64, cols)
		}
		err = readRows(ctx, ob, list, x, func(i, row int) []float64 {
			expand(cells[i], row)
			return cells[i]
		})
	} else {
		err = ob.readColumns(ctx, list, x)
	}
	if err != nil {
		return nil, nil, err
	}
	return x, ob.penalties(len(list)), nil
}

// Narrow removes the columns of dropped groups from storage, except from a plain matrix, which can be read column by
// column.
func (ob *Objective) Narrow(ctx context.Context) error {
	if err := ob.Laid(ctx); err != nil {
		return err
	}
	if _, plain := ob.x.(matrix.RowReader); plain {
		return nil
	}
	return ob.compact(ctx)
}

// units returns the scale and the offset of a column of x.
func (ob *Objective) units(p int) (scale, offset float64) {
	if ob.offset != nil {
		offset = ob.offset[p]
	}
	return ob.scale[p], offset
}

// sideBySide is the number of rows that [readRows] reads at once: as many numbers of a column
// as fill a cache line.
const sideBySide = 8

// readRows sets to to the listed columns, scaled and centred, in the original order of the rows. cells
// returns the cells of a row as the i-th of those that are read at once.
func readRows[V float32 | float64](ctx context.Context, ob *Objective, list []int, to [][]float64, cells func(i, row int) []V) error {
	rows, _ := ob.x.Dims()
	at := make([]int, rows) // where each row is stored
	for stored := range at {
		if ob.rows.from != nil {
			at[ob.rows.from[stored]] = stored
		} else {
			at[stored] = stored
		}
	}
	type unit struct{ scale, offset float64 }
	units := make([]unit, len(list))
	for i, p := range list {
		units[i].scale, units[i].offset = ob.units(p)
	}
	for lo := 0; lo < rows; lo += sideBySide {
		if err := ctx.Err(); err != nil {
			return err
		}
		if lo+sideBySide > rows {
			for r := lo; r < rows; r++ {
				row := cells(0, at[r])
				for i, p := range list {
					to[i][r] = units[i].scale*float64(row[p]) + units[i].offset
				}
			}
			break
		}
		a, b, c, d := cells(0, at[lo]), cells(1, at[lo+1]), cells(2, at[lo+2]), cells(3, at[lo+3])
		e, f, g, h := cells(4, at[lo+4]), cells(5, at[lo+5]), cells(6, at[lo+6]), cells(7, at[lo+7])
		for i, p := range list {
			scale, offset := units[i].scale, units[i].offset
			x := to[i][lo:][:sideBySide]
			x[0], x[1] = scale*float64(a[p])+offset, scale*float64(b[p])+offset
			x[2], x[3] = scale*float64(c[p])+offset, scale*float64(d[p])+offset
			x[4], x[5] = scale*float64(e[p])+offset, scale*float64(f[p])+offset
			x[6], x[7] = scale*float64(g[p])+offset, scale*float64(h[p])+offset
		}
	}
	return nil
}

// readColumns is readRows for any matrix, one block of rows after the other.
func (ob *Objective) readColumns(ctx context.Context, list []int, to [][]float64) error {
	rows, cols := ob.x.Dims()
	step := ob.x.BlockRows()
	z, unit := make([]float64, step), make([]float64, cols)
	for lo := 0; lo < rows && len(list) > 0; lo += step {
		hi := min(lo+step, rows)
		b, err := ob.x.Slice(ctx, lo, hi)
		if err != nil {
			return err
		}
		for i, p := range list {
			if err := ctx.Err(); err != nil { // a block may have very many columns
				matrix.Release(b)
				return err
			}
			unit[p] = 1
			b.Mul(z[:hi-lo], unit)
			unit[p] = 0
			scale, offset := ob.units(p)
			for r, v := range z[:hi-lo] {
				row := lo + r
				if ob.rows.from != nil {
					row = ob.rows.from[row]
				}
				to[i][row] = scale*v + offset
			}
		}
		matrix.Release(b)
	}
	return ctx.Err()
}

// penalties returns the strength of the prior on each column, besides the ridge.
func (ob *Objective) penalties(columns int) []float64 {
	penalty := make([]float64, columns)
	place := make(map[int]int, columns) // column of each coefficient of the first output
	i, at := 0, 0
	for j := range ob.groups.Count() {
		width := 0
		for _, v := range ob.groups.Of(j) {
			lo, hi := ob.columns.of(v)
			width += hi - lo
		}
		for q := range width {
			place[at+q] = i
			i++
		}
		at += width * ob.outputs
	}
	ob.categories(func(at int, p prior.Ridge) {
		if i, first := place[at]; first {
			penalty[i] += p.Lambda
		}
	})
	return penalty
}

// Products returns Xᵀr for each r, with X scaled and centred: one number for each coefficient of one
// output. r has a number for each row.
func (ob *Objective) Products(ctx context.Context, r [][]float64) ([][]float64, error) {
	out := make([][]float64, len(r))
	if w, ok := ob.x.(matrix.Whole); ok {
		for i := range r {
			sums, err := w.WholeMulT(ctx, r[i])
			if err != nil {
				return nil, err
			}
			out[i] = ob.seen(sums, r[i])
		}
		return out, nil
	}
	threads := max(min(ob.pool.threads, len(r)), 1)
	return out, parallel.Do(ctx, threads, threads, func(_, part int) error {
		lo, hi := part*len(r)/threads, (part+1)*len(r)/threads
		return ob.products(ctx, out[lo:hi], r[lo:hi])
	})
}

func (ob *Objective) products(ctx context.Context, out, r [][]float64) error {
	rows, cols := ob.x.Dims()
	sums := make([][]float64, len(r))
	for i := range sums {
		sums[i] = make([]float64, cols)
	}
	step := ob.x.BlockRows()
	for lo := 0; lo < rows; lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+step, rows)
		b, err := ob.x.Slice(ctx, lo, hi)
		if err != nil {
			return err
		}
		for i := range r {
			b.MulT(sums[i], r[i][lo:hi])
		}
		matrix.Release(b)
	}
	for i := range r {
		out[i] = ob.seen(sums[i], r[i])
	}
	return nil
}

// seen converts Xᵀr of the stored columns to Xᵀr of the scaled and centred columns.
func (ob *Objective) seen(sums, r []float64) []float64 {
	total := 0.0
	for _, v := range r {
		total += v
	}
	out := make([]float64, len(ob.place))
	for at, p := range ob.place {
		out[at] = ob.scale[p] * sums[p]
		if ob.offset != nil {
			out[at] += ob.offset[p] * total
		}
	}
	return out
}
