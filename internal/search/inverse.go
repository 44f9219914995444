package search

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// singular is the share of the square of a column below which what the columns before it leave of it is rounding error.
const singular = 1e-9

// inverse is a generalised inverse of a symmetric matrix that is not negative: that of the columns that do not depend on
// others, by a Cholesky factorisation with pivots.
type inverse struct {
	unit  []float64 // units in which the diagonal is 1
	order []int     // the columns, those that do not depend on others first
	upper mat.Triangular
	rank  int
}

func invert(a *mat.Dense) inverse {
	n, _ := a.Dims()
	v := inverse{unit: make([]float64, n), order: make([]int, n)}
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		if d := a.At(i, i); d > 0 {
			v.unit[i] = 1 / math.Sqrt(d)
		}
	}
	for i := range n {
		for j := range i + 1 {
			scaled.SetSym(i, j, a.At(i, j)*v.unit[i]*v.unit[j])
		}
	}
	var factor mat.PivotedCholesky
	factor.Factorize(scaled, singular)
	v.upper, v.rank, v.order = factor.RawU(), factor.Rank(), factor.ColumnPivots(v.order)
	return v
}

// solve returns bᵀx and an x with a·x = b, where b is in the range of a, and the rank of a.
func (v inverse) solve(b mat.Vector) (product float64, rank int, x *mat.VecDense) {
	x = mat.NewVecDense(len(v.unit), nil)
	y := make([]float64, v.rank)
	for i := range y {
		at := v.order[i]
		y[i] = b.AtVec(at) * v.unit[at]
		for k, before := range y[:i] {
			y[i] -= v.upper.At(k, i) * before
		}
		y[i] /= v.upper.At(i, i)
		product += y[i] * y[i]
	}
	for i := v.rank - 1; i >= 0; i-- {
		for k := i + 1; k < v.rank; k++ {
			y[i] -= v.upper.At(i, k) * y[k]
		}
		y[i] /= v.upper.At(i, i)
	}
	for i, share := range y {
		x.SetVec(v.order[i], share*v.unit[v.order[i]])
	}
	return product, v.rank, x
}
