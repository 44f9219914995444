package search

import (
	"context"
	"slices"

	"fsa/internal/solve"
)

// Replacements returns the groups that could replace selected group i of a fit: those with the largest gradients once the
// others are fitted without it.
func (s *Sample) Replacements(ctx context.Context, f *Fit, i, most int) ([]int, error) {
	left, err := s.Learn(ctx, slices.Delete(slices.Clone(f.Groups), i, i+1), f.Ridge, f.Adaptive, nil)
	if err != nil {
		return nil, err
	}
	order, _, _, err := s.outside(ctx, left)
	if err != nil {
		return nil, err
	}
	order = slices.DeleteFunc(order, func(g int) bool { return g == f.Groups[i] })
	return order[:min(len(order), most)], nil
}

// Subsets fits selections from the columns of their union, which are fetched once.
type Subsets struct {
	problem *problem
	last    *solve.Solution
	fitted  []int // columns of the last solution
}

// Subsets returns the fits of selections among the given groups, ascending, with a ridge.
func (s *Sample) Subsets(ctx context.Context, groups []int, ridge float64, adaptive bool) (*Subsets, error) {
	ob := s.objective(groups, len(groups), ridge, s.Rows())
	p, err := s.problem(ctx, groups, ob, nil)
	if err != nil {
		return nil, err
	}
	p.Ridge, p.Adaptive = ridge, adaptive
	return &Subsets{problem: p}, nil
}

// fit fits some of the groups, ascending. It returns the columns of the solution.
func (t *Subsets) fit(ctx context.Context, groups []int) (s *solve.Solution, columns []int, err error) {
	columns = t.problem.columnsOf(groups)
	var from *solve.Solution
	if t.last != nil {
		from = t.last.Onto(t.fitted, columns)
	}
	if s, err = t.problem.Optimum(ctx, columns, from); err == nil && t.last == nil { // all others start there
		t.last, t.fitted = s, columns
	}
	return s, columns, err
}

// MarginsOf fits some of the groups, ascending, and returns the decision values of some rows, output after output.
func (t *Subsets) MarginsOf(ctx context.Context, groups, rows []int) ([]float64, error) {
	s, columns, err := t.fit(ctx, groups)
	if err != nil {
		return nil, err
	}
	return t.problem.Margins(s, columns, rows), nil
}

// lossOf fits some of the groups, ascending, and returns the mean loss without penalties, and the number of columns.
func (t *Subsets) lossOf(ctx context.Context, groups []int) (loss float64, columns int, err error) {
	s, of, err := t.fit(ctx, groups)
	if err != nil {
		return 0, 0, err
	}
	t.problem.Complete(s, of)
	return s.Loss, len(of), nil
}
