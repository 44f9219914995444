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
	if err := ob.Laid(ctx); err != nil {
		return nil, nil, err
	}
	if _, plain := ob.x.(matrix.RowReader); !plain { // plain matrices can be read column by column
		if err := ob.compact(ctx); err != nil {
			return nil, nil, err
		}
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
	err = ob.eachColumn(ctx, list, func(i, lo int, numbers []float64) {
		scale, offset := ob.scale[list[i]], 0.0
		if ob.offset != nil {
			offset = ob.offset[list[i]]
		}
		for r, v := range numbers {
			row := lo + r
			if ob.rows.from != nil {
				row = ob.rows.from[row]
			}
			x[i][row] = scale*v + offset
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return x, ob.penalties(len(list)), nil
}

// eachColumn calls f with the stored numbers of the listed columns of x, one block of rows after the
// other: numbers are those of the i-th listed column from row lo on.
func (ob *Objective) eachColumn(ctx context.Context, list []int, f func(i, lo int, numbers []float64)) error {
	if len(list) == 0 {
		return ctx.Err()
	}
	rows, cols := ob.x.Dims()
	step := ob.x.BlockRows()
	z := make([]float64, step)
	plain, isPlain := ob.x.(matrix.RowReader)
	var block [][]float32 // rows of a plain matrix
	unit := make([]float64, cols)
	for lo := 0; lo < rows; lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+step, rows)
		if isPlain {
			block = block[:0]
			for r := lo; r < hi; r++ {
				block = append(block, plain.Row(r))
			}
			for i, p := range list {
				if err := ctx.Err(); err != nil { // a block may have very many columns
					return err
				}
				for r, row := range block {
					z[r] = float64(row[p])
				}
				f(i, lo, z[:hi-lo])
			}
			continue
		}
		b, err := ob.x.Slice(ctx, lo, hi)
		if err != nil {
			return err
		}
		for i, p := range list {
			if err := ctx.Err(); err != nil {
				matrix.Release(b)
				return err
			}
			unit[p] = 1
			b.Mul(z[:hi-lo], unit)
			unit[p] = 0
			f(i, lo, z[:hi-lo])
		}
		matrix.Release(b)
	}
	return nil
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
