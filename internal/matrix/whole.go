package matrix

import "context"

// Whole is a Matrix that multiplies as a whole, because its rows are distributed over processes.
// All processes call its methods together.
type Whole interface {
	Matrix
	// WholeMul returns Xv, a number for each row. WholeMulT returns Xᵀr, a number for each column.
	WholeMul(ctx context.Context, v []float64) ([]float64, error)
	WholeMulT(ctx context.Context, r []float64) ([]float64, error)
}

// Mul returns Xv, block by block unless the matrix multiplies as a whole.
func Mul(ctx context.Context, x Matrix, v []float64) ([]float64, error) {
	if w, ok := x.(Whole); ok {
		return w.WholeMul(ctx, v)
	}
	rows, _ := x.Dims()
	z := make([]float64, rows)
	return z, eachBlock(ctx, x, func(b Rows, lo, hi int) { b.Mul(z[lo:hi], v) })
}

// MulT returns Xᵀr, block by block unless the matrix multiplies as a whole.
func MulT(ctx context.Context, x Matrix, r []float64) ([]float64, error) {
	if w, ok := x.(Whole); ok {
		return w.WholeMulT(ctx, r)
	}
	_, cols := x.Dims()
	g := make([]float64, cols)
	return g, eachBlock(ctx, x, func(b Rows, lo, hi int) { b.MulT(g, r[lo:hi]) })
}

// eachBlock calls use for blocks of rows, in order.
func eachBlock(ctx context.Context, x Matrix, use func(b Rows, lo, hi int)) error {
	rows, _ := x.Dims()
	step := x.BlockRows()
	for lo := 0; lo < rows; lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		hi := min(lo+step, rows)
		b, err := x.Slice(ctx, lo, hi)
		if err != nil {
			return err
		}
		use(b, lo, hi)
		Release(b)
	}
	return nil
}

// SumColumns returns Xᵀw over all rows: the sum of each column, with the weights that the function
// returns for rows lo to hi−1.
func SumColumns(ctx context.Context, x Matrix, weights func(lo, hi int) []float64) ([]float64, error) {
	rows, cols := x.Dims()
	if w, ok := x.(Whole); ok {
		return w.WholeMulT(ctx, weights(0, rows))
	}
	sum := make([]float64, cols)
	if s, ok := x.(summer); ok {
		return sum, s.addAll(ctx, sum, weights(0, rows))
	}
	step := x.BlockRows()
	for lo := 0; lo < rows; lo += step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hi := min(lo+step, rows)
		part, err := x.Slice(ctx, lo, hi)
		if err != nil {
			return nil, err
		}
		part.MulT(sum, weights(lo, hi))
		Release(part)
	}
	return sum, nil
}
