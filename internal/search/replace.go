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
	first   map[int][2]int // columns of each group: the first one, and the one after the last
	last    *solve.Solution
	fitted  []int // columns of the last solution
}

// Subsets returns the fits of selections among the given groups, ascending, with a ridge.
func (s *Sample) Subsets(ctx context.Context, groups []int, ridge float64, adaptive bool) (*Subsets, error) {
	ob := s.objective(groups, len(groups), ridge, s.Rows())
	p, err := s.problem(ctx, groups, ob)
	if err != nil {
		return nil, err
	}
	p.Ridge, p.Adaptive = ridge, adaptive
	to, at := &Subsets{problem: p, first: map[int][2]int{}}, 0
	for i, g := range groups {
		lo, hi := ob.Layout().Span(i)
		width := (hi - lo) / p.outputs
		to.first[g] = [2]int{at, at + width}
		at += width
	}
	return to, nil
}

// MarginsOf fits some of the groups, ascending, and returns the decision values of some rows, output after output.
func (t *Subsets) MarginsOf(ctx context.Context, groups, rows []int) ([]float64, error) {
	var columns []int
	for _, g := range groups {
		for c := t.first[g][0]; c < t.first[g][1]; c++ {
			columns = append(columns, c)
		}
	}
	var from *solve.Solution
	if t.last != nil {
		from = t.last.Onto(t.fitted, columns)
	}
	s, err := t.problem.Optimum(ctx, columns, from)
	if err != nil {
		return nil, err
	}
	if t.last == nil { // all others start there
		t.last, t.fitted = s, columns
	}
	return t.problem.Margins(s, columns, rows), nil
}
