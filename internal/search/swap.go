package search

import (
	"context"
	"errors"
	"slices"

	"fsa/internal/objective"
	"fsa/internal/solve"
	"fsa/internal/tuning"
)

// swap replaces selected groups by others while the objective falls, and returns the new selection of a size. Groups of one
// column without limits are swapped by [solve.Problem.Swap], other groups by swapGroups, and groups with prices by exchange.
func (s *Sample) swap(ctx context.Context, groups []int, by Swaps, size int) ([]int, error) {
	precise := *s
	precise.Tolerance = 0 // the tolerance may be larger than the gain of a swap
	f, err := precise.Learn(ctx, groups, by.Ridge, false, nil)
	if err != nil {
		return nil, err
	}
	if s.Spending != nil {
		return precise.exchange(ctx, f, by, size)
	}
	if !s.Single || s.Limits != nil {
		return precise.swapGroups(ctx, f, by.Gain)
	}
	must := make([]bool, len(groups))
	for i, g := range groups {
		must[i] = slices.Contains(s.Force, g)
	}
	chosen, _, err := f.problem.Swap(ctx, s.table(by.Ridge), groups, must, f.Solution, solve.Swaps{
		Most: len(groups), Gain: by.Gain, Try: tuning.SwapTries, Detours: by.Detours,
	})
	return chosen, err
}

// table returns all columns of the sample as a [solve.Table].
func (s *Sample) table(ridge float64) *table {
	return &table{s: s, ob: s.objective(nil, s.Groups.Count(), ridge, s.Rows())}
}

type table struct {
	s  *Sample
	ob *objective.Objective
}

var _ solve.Table = (*table)(nil)

func (t *table) Count() int { return t.s.Groups.Count() }

func (t *table) Products(ctx context.Context, r [][]float64) ([][]float64, error) {
	return t.ob.Products(ctx, r)
}

func (t *table) Columns(ctx context.Context, groups []int) ([][]float64, error) {
	order := slices.Sorted(slices.Values(groups))
	sorted, _, err := t.s.objective(order, len(order), 0, t.s.Rows()).Columns(ctx)
	if err != nil {
		return nil, err
	}
	if len(sorted) != len(groups) {
		return nil, errors.New("fsa: a group of several columns cannot be swapped")
	}
	x := make([][]float64, len(groups))
	for i, g := range groups {
		at, _ := slices.BinarySearch(order, g)
		x[i] = sorted[at]
	}
	return x, nil
}

func (t *table) Square(g int) float64 { return t.s.Design.Square(t.s.Groups.Of(g)[0]) }
