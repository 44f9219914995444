package search

import (
	"context"
	"math"
	"slices"

	"fsa/internal/gram"
	"fsa/internal/solve"
)

// Reference fits models of all groups with a ridge, which a selection is compared with.
type Reference struct {
	fit     Fit           // all but the solution
	plain   solve.Problem // problem without columns
	columns [][]float64
	penalty []float64
}

// Reference returns the reference of a sample. It holds all columns in memory.
func (s *Sample) Reference(ctx context.Context) (*Reference, error) {
	groups := all(s.Groups.Count())
	ob := s.objective(groups, len(groups), 0, s.Rows())
	p, err := s.problem(ctx, groups, ob, nil)
	if err != nil {
		return nil, err
	}
	r := &Reference{columns: p.X, penalty: p.Penalty, fit: Fit{Groups: groups, sample: s, problem: p, columns: p.columns()}}
	if r.wide() {
		p.Penalty, r.fit.columns = make([]float64, s.Rows()), all(s.Rows())
	}
	r.plain = p.Problem
	return r, nil
}

// wide reports whether there are more columns than rows.
func (r *Reference) wide() bool { return len(r.columns) > r.fit.sample.Rows() }

// Fit returns the model of all groups with a ridge. It is valid until the next call.
func (r *Reference) Fit(ctx context.Context, ridge float64) (*Fit, error) {
	p, start := r.fit.problem, r.fit.Solution
	penalised := slices.ContainsFunc(r.penalty, func(λ float64) bool { return λ > 0 }) // besides the ridge
	if r.wide() && (start == nil || penalised) {
		x, err := rotated(ctx, r.columns, r.penalty, ridge, r.fit.sample)
		if err != nil {
			return nil, err
		}
		p.Problem = r.plain
		p.X = x
	}
	p.Ridge, r.fit.Ridge = ridge, ridge
	var err error
	r.fit.Solution, err = p.Solve(ctx, r.fit.columns, start)
	return &r.fit, err
}

// rotated returns as many columns as there are rows, in which the ridge has the same fits: a ridge depends on the products
// of rows alone, so the rows of the Cholesky factor of these products take the place of the rows of the table. A column with
// a further penalty is scaled down, so that the ridge alone is as strong on it.
func rotated(ctx context.Context, columns [][]float64, penalty []float64, ridge float64, s *Sample) ([][]float64, error) {
	n, padded := s.Rows(), gram.Padded(len(columns))
	rows := make([]float64, n*padded)
	for c, column := range columns {
		share := math.Sqrt(ridge / (ridge + penalty[c]))
		for i, v := range column {
			rows[i*padded+c] = share * v
		}
	}
	products := make([]float64, n*n)
	if err := gram.Add(ctx, s.Threads, products, rows, n); err != nil {
		return nil, err
	}
	trace := 0.0
	for i := range n {
		trace += products[i*n+i]
	}
	const jitter = 1e-12 // share of the mean square of a row that is added to each, because equal rows are not independent
	factor, ok := gram.Factorize(n, func(i, j int) float64 {
		if i == j {
			return products[i*n+i] + jitter*trace
		}
		return products[i*n+j]
	})
	if !ok {
		return nil, solve.ErrSingular
	}
	out := make([][]float64, n)
	for c := range out {
		out[c] = make([]float64, n)
		for i := c; i < n; i++ {
			out[c][i] = factor.Row(i)[c]
		}
	}
	return out, nil
}
