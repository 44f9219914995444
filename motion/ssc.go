package motion

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Settings of sparse subspace clustering, those that Elhamifar and Vidal use for
// motions.
const (
	sscAlpha      = 800  // weight of the residual, relative to the least at which anything is expressed
	sscKeep       = 0.7  // share of a column's absolute sum that makes links
	sscTolerance  = 2e-4 // of the largest change
	sscIterations = 150
)

// sparseAffinity returns the affinity of sparse subspace clustering: each
// point is written as an affine combination of the others with few terms, and
// two points are as close as their coefficients are large. The points are given
// by few coordinates; the method is the alternating direction method with
// the matrix inverse in the low-rank form that few coordinates allow.
func sparseAffinity(ctx context.Context, points [][]float64) (*mat.SymDense, error) {
	n, width := len(points), len(points[0])
	weight := sscWeight(points)
	if math.IsInf(weight, 0) {
		return mat.NewSymDense(n, nil), nil // points without any extent
	}
	const rho = sscAlpha
	// The matrix of the linear systems is ρI + GGᵀ.
	g := general(n, width+1)
	for i, p := range points {
		for j, v := range p {
			g.Data[i*g.Stride+j] = math.Sqrt(weight) * v
		}
		g.Data[i*g.Stride+width] = math.Sqrt(rho)
	}
	solver := newLowRank(g, rho)

	a, c, delta, right := general(n, n), general(n, n), general(n, n), general(n, n)
	multiplier := make([]float64, n) // of the constraint that a column sums to one
	data := general(n, n)            // the part of the right side that stays: weight·YᵀY + ρ11ᵀ
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, g, g, 0, data)
	for range sscIterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range n {
			row, fix := right.Data[i*n:(i+1)*n], data.Data[i*n:(i+1)*n]
			ci, di := c.Data[i*n:(i+1)*n], delta.Data[i*n:(i+1)*n]
			for j := range row {
				row[j] = fix[j] + rho*ci[j] - multiplier[j] - di[j]
			}
		}
		solver.solve(a, right)
		gap, change := sscShrink(a, c, delta, rho)
		sums := make([]float64, n)
		for i := range n {
			for j, v := range a.Data[i*n : (i+1)*n] {
				sums[j] += v
			}
		}
		off := 0.0
		for j, s := range sums {
			multiplier[j] += rho * (s - 1)
			off = max(off, math.Abs(s-1))
		}
		if max(gap, change, off) < sscTolerance {
			break
		}
	}
	return sscLinks(c), nil
}

// sscWeight returns what the squared residual is multiplied by.
func sscWeight(points [][]float64) float64 {
	least := math.Inf(1)
	for i, p := range points {
		most := 0.0
		for j, q := range points {
			if i != j {
				most = max(most, math.Abs(blas64.Dot(vector(p), vector(q))))
			}
		}
		if most > 0 {
			least = min(least, most)
		}
	}
	return sscAlpha / least
}

// sscShrink moves the coefficients c towards a by soft thresholding and updates
// the multipliers delta. It returns the largest difference between the two and
// the largest change.
func sscShrink(a, c, delta blas64.General, rho float64) (gap, change float64) {
	n := a.Rows
	for i := range n {
		for at := i * n; at < (i+1)*n; at++ {
			v := a.Data[at] + delta.Data[at]/rho
			shrunk := math.Copysign(max(math.Abs(v)-1/rho, 0), v)
			if at == i*n+i {
				shrunk = 0
			}
			change = max(change, math.Abs(shrunk-c.Data[at]))
			c.Data[at] = shrunk
			d := a.Data[at] - shrunk
			gap = max(gap, math.Abs(d))
			delta.Data[at] += rho * d
		}
	}
	return gap, change
}

// sscLinks keeps of each column the largest coefficients, divides them by
// the largest, and adds the absolute values both ways.
func sscLinks(c blas64.General) *mat.SymDense {
	n := c.Rows
	out := mat.NewSymDense(n, nil)
	order := make([]int, n)
	column := make([]float64, n)
	for j := range n {
		total := 0.0
		for i := range n {
			column[i], order[i] = math.Abs(c.Data[i*n+j]), i
			total += column[i]
		}
		if total == 0 {
			continue
		}
		slices.SortFunc(order, func(x, y int) int { return cmp.Or(cmp.Compare(column[y], column[x]), x-y) })
		kept, largest := 0.0, column[order[0]]
		for _, i := range order {
			if kept >= sscKeep*total {
				break
			}
			kept += column[i]
			out.SetSym(i, j, out.At(i, j)+column[i]/largest)
		}
	}
	return out
}

// lowRank solves linear systems with the matrix ρI + GGᵀ, where G has few
// columns, by the formula of Woodbury.
type lowRank struct {
	g, core, small, scratch blas64.General
	rho                     float64
}

func newLowRank(g blas64.General, rho float64) *lowRank {
	k := g.Cols
	inner := mat.NewSymDense(k, nil)
	for a := range k {
		for b := a; b < k; b++ {
			sum := 0.0
			for i := range g.Rows {
				sum += g.Data[i*g.Stride+a] * g.Data[i*g.Stride+b]
			}
			if a == b {
				sum += rho
			}
			inner.SetSym(a, b, sum)
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(inner) {
		panic("motion: a matrix that is positive definite by construction is not")
	}
	var inverse mat.SymDense
	// A bad condition is reported as an error along with the inverse, which is
	// as good as it gets then: some points are many times as far out as others.
	_ = chol.InverseTo(&inverse)
	core := general(k, k)
	for a := range k {
		for b := range k {
			core.Data[a*k+b] = inverse.At(a, b)
		}
	}
	return &lowRank{g: g, core: core, small: general(k, g.Rows), scratch: general(k, g.Rows), rho: rho}
}

// solve sets x to the solution with the right side b.
func (s *lowRank) solve(x, b blas64.General) {
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, s.g, b, 0, s.small)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, s.core, s.small, 0, s.scratch)
	copy(x.Data, b.Data)
	blas64.Gemm(blas.NoTrans, blas.NoTrans, -1/s.rho, s.g, s.scratch, 1/s.rho, x)
}

func general(rows, cols int) blas64.General {
	return blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

func vector(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }
