package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// sscPenalty is λ on the coefficients of sparse subspace clustering if the mean square of points is
// one, chosen on every second sequence of the benchmark.
const sscPenalty = 0.0005

// sscLinks is the number of links that a point keeps: as many as span the affine subspace of a
// motion.
const sscLinks = rigidDims + 1

// sparseAffinity returns the affinity of sparse subspace clustering (Elhamifar and Vidal, 2009):
// each point is written as an affine combination of the others with few terms, and the affinity of
// two points is the size of their coefficients.
func sparseAffinity(ctx context.Context, points [][]float64) (*mat.SymDense, error) {
	n := len(points)
	square := 0.0
	for _, p := range points {
		square += floats.Dot(p, p) / float64(n)
	}
	if square == 0 {
		return mat.NewSymDense(n, nil), nil // all points are equal
	}
	scaled := make([][]float64, n)
	for i, p := range points {
		scaled[i] = floats.ScaleTo(make([]float64, len(p)), 1/math.Sqrt(square), p)
	}
	columns := make([][]float64, n)
	for i := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		lasso := affineLasso{penalty: sscPenalty}
		columns[i] = lasso.solve(scaled, i)
	}
	all := bothWays(columns, n)
	for i := range columns {
		columns[i] = mat.Row(nil, i, all)
	}
	return bothWays(columns, sscLinks), nil
}

// bothWays keeps the given number of largest coefficients of each column, divides them by the
// largest, and adds the absolute values of both directions.
func bothWays(columns [][]float64, most int) *mat.SymDense {
	n := len(columns)
	out := mat.NewSymDense(n, nil)
	order := make([]int, n)
	for j, column := range columns {
		for i := range order {
			order[i] = i
		}
		size := func(i int) float64 { return math.Abs(column[i]) }
		slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(size(b), size(a)), a-b) })
		largest := size(order[0])
		for _, i := range order[:min(most, n)] {
			if size(i) > 0 {
				out.SetSym(i, j, out.At(i, j)+size(i)/largest)
			}
		}
	}
	return out
}
