package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"fsa/eval"
	"fsa/internal/gram"
)

// dualRidge solves a system with one unknown per row, for tables with fewer rows than variables.
// Let A be the table of some rows, centred by its weighted means and with rows multiplied by the
// roots of their weights, and r the responses treated in the same way; then β = Aᵀ(AAᵀ + αI)⁻¹r.
// AAᵀ for other weights and means follows from the products of the rows, so these are computed
// once.
type dualRidge struct {
	*task
	products [][]float64 // products of the rows, centred at any point
}

func newDualRidge(ctx context.Context, t *task) (*dualRidge, error) {
	rows, err := rowsOfDesign(ctx, t.design)
	if err != nil {
		return nil, err
	}
	r := &dualRidge{task: t}
	if !dense(rows) {
		product := newMultiplier(rows, slices.Repeat([]float64{1}, rows.Length))
		for i := range rows.Count {
			product.add(rows, i, 0)
		}
		r.products, err = product.products(ctx, t.Threads, nil)
		return r, err
	}
	width, n := gram.Padded(rows.Length), rows.Count
	cells, square := make([]float64, n*width), make([]float64, n*n)
	for i := range n {
		_, x := rows.Cells(i)
		copy(cells[i*width:], x)
	}
	err = gram.Add(ctx, t.Threads, square, cells, n)
	for i := range n {
		r.products = append(r.products, square[i*n:(i+1)*n])
		for j := range i {
			r.products[j][i] = r.products[i][j]
		}
	}
	return r, err
}

// dualSystem is the regression of some rows.
type dualSystem struct {
	rows     []int
	share    []float64   // weight of each, of all of them
	root     []float64   // of the share
	response float64     // mean response
	kernel   [][]float64 // products of all rows of the table with those of the system, centred at the mean of the latter
}

// among returns the regression of the rows with a positive weight.
func (r *dualRidge) among(weight []float64) *dualSystem {
	s := &dualSystem{kernel: make([][]float64, len(r.Y))}
	total := 0.0
	for i, w := range weight {
		if w > 0 {
			s.rows, s.share = append(s.rows, i), append(s.share, w)
			total += w
		}
	}
	floats.Scale(1/total, s.share)
	for at, i := range s.rows {
		s.root = append(s.root, math.Sqrt(s.share[at]))
		s.response += s.share[at] * r.Y[i]
	}
	toMean := make([]float64, len(r.Y)) // products of each row with the mean
	for i, row := range r.products {
		for at, j := range s.rows {
			toMean[i] += s.share[at] * row[j]
		}
	}
	square := 0.0
	for at, i := range s.rows {
		square += s.share[at] * toMean[i]
	}
	for i, row := range r.products {
		s.kernel[i] = make([]float64, len(s.rows))
		for at, j := range s.rows {
			s.kernel[i][at] = row[j] - toMean[i] - toMean[j] + square
		}
	}
	return s
}

// factorize prepares to solve for any right side.
func (s *dualSystem) factorize(penalty float64) (solve func([]float64) []float64, err error) {
	solve, ok := factorize(len(s.rows), func(a, b int) float64 {
		v := s.root[a] * s.root[b] * s.kernel[s.rows[a]][b]
		if a == b {
			v += penalty
		}
		return v
	})
	if !ok {
		return nil, fmt.Errorf("baseline: ridge %v has no solution", penalty)
	}
	return solve, nil
}

// right returns the right-hand side: the responses minus their mean.
func (s *dualSystem) right(y []float64) []float64 {
	out := make([]float64, len(s.rows))
	for at, i := range s.rows {
		out[at] = s.root[at] * (y[i] - s.response)
	}
	return out
}

func (r *dualRidge) tryOut(ctx context.Context, grid, train, held []float64) ([]float64, error) {
	s := r.among(train)
	wrong := make([]float64, len(grid))
	margin := make([]float64, len(r.Y))
	for at, penalty := range grid {
		solve, err := s.factorize(penalty)
		if err != nil {
			return nil, err
		}
		dual := solve(s.right(r.Y))
		floats.Mul(dual, s.root)
		for i, k := range s.kernel {
			margin[i] = s.response + floats.Dot(k, dual)
		}
		wrong[at] = eval.RMSE(margin, r.Y, held)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return wrong, nil
}

func (r *dualRidge) solve(ctx context.Context, penalty float64) (intercept float64, beta []float64, err error) {
	s := r.among(r.weights())
	solve, err := s.factorize(penalty)
	if err != nil {
		return 0, nil, err
	}
	share, dual, sum := make([]float64, len(r.Y)), make([]float64, len(r.Y)), 0.0
	for at, x := range solve(s.right(r.Y)) {
		i := s.rows[at]
		share[i], dual[i] = s.share[at], s.root[at]*x
		sum += dual[i]
	}
	intercept, beta = s.response, make([]float64, len(r.design.Usable))
	for k, v := range r.design.Usable {
		mean := r.columns.Dot(v, share)
		beta[k] = r.columns.Dot(v, dual) - mean*sum
		intercept -= mean * beta[k]
	}
	return intercept, beta, ctx.Err()
}
