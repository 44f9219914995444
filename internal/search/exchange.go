package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/internal/tuning"
)

// exchange swaps groups that have prices while the objective falls. A move drops up to two groups, or more if that is
// needed, adds one that was dropped, and buys others with the money that is left. Moves are ranked by a quadratic approximation that ignores
// correlations with the groups that are added. The best moves are fitted, and the first one that lowers the objective by
// the share gain is taken.
func (s *Sample) exchange(ctx context.Context, f *Fit, by Swaps, size int) ([]int, error) {
	tries := tuning.SwapTries
	if by.Detours { // for each group that may come in
		tries *= tuning.SwapPool
	}
	known := map[string]bool{} // selections that were fitted
	for {
		moves, err := s.moves(ctx, f, size)
		if err != nil {
			return nil, err
		}
		best := f
		for left := tries; left > 0 && len(moves) > 0 && best == f; moves = moves[1:] {
			groups := moves[0].groups
			if key := fmt.Sprint(groups); known[key] {
				continue
			} else {
				known[key] = true
			}
			next, err := s.Learn(ctx, groups, f.Ridge, false, nil)
			if err != nil {
				return nil, err
			}
			if left--; f.loss-next.loss > by.Gain*math.Abs(f.loss) {
				best = next
			}
		}
		if best == f {
			return f.Groups, nil
		}
		f = best
	}
}

// move is a selection that may be better than the current one, with the predicted decrease of the objective.
type move struct {
	groups []int
	gain   float64
}

// moves returns the moves from a fit that the budget of a size allows, the most promising first.
func (s *Sample) moves(ctx context.Context, f *Fit, size int) ([]move, error) {
	f.result()
	outside, slope, _, err := s.outside(ctx, f)
	if err != nil {
		return nil, err
	}
	chosen, worth, curvature, err := s.byWorth(ctx, f)
	if err != nil || len(chosen) == 0 && len(f.Groups) > 0 {
		return nil, err
	}
	if curvature == 0 { // of an empty selection
		curvature = 1
	}
	outside = outside[:min(len(outside), tuning.SwapPool)]
	for len(chosen) > 0 && math.IsInf(worth[len(worth)-1], 1) { // forced groups stay
		chosen, worth = chosen[:len(chosen)-1], worth[:len(worth)-1]
	}
	chosen = chosen[:min(len(chosen), tuning.SwapPool)]
	gain := func(g int) float64 { return slope[g] * slope[g] / curvature / 2 }
	budget := s.Spending.Budgets[size-1]
	fits := func(groups []int) bool {
		return len(groups) <= s.Spending.Most && Affordable(s.Price(groups), budget)
	}
	cheap := all(len(chosen)) // positions in chosen, those that are worth least per price first
	slices.SortStableFunc(cheap, func(a, b int) int {
		return cmp.Compare(worth[a]*s.prices[chosen[b]], worth[b]*s.prices[chosen[a]])
	})
	var list []move
	// try adds the move that drops some of the chosen groups and adds the group in. If that costs too much, it drops more
	// of them, and if money is left, it adds more.
	try := func(in int, out ...int) {
		m := move{groups: slices.Clone(f.Groups), gain: gain(in)}
		drop := func(i int) {
			if at, found := slices.BinarySearch(m.groups, chosen[i]); found {
				m.groups = slices.Delete(m.groups, at, at+1)
				m.gain -= worth[i]
			}
		}
		for _, i := range out {
			drop(i)
		}
		for _, i := range cheap {
			if fits(append(m.groups[:len(m.groups):len(m.groups)], in)) {
				break
			}
			drop(i)
		}
		if m.groups = append(m.groups, in); !fits(m.groups) {
			return
		}
		for _, g := range outside {
			if g != in && fits(append(m.groups[:len(m.groups):len(m.groups)], g)) {
				m.groups, m.gain = append(m.groups, g), m.gain+gain(g)
			}
		}
		slices.Sort(m.groups)
		list = append(list, m)
	}
	for _, in := range outside {
		try(in)
		for i := range chosen {
			try(in, i)
			for j := range i {
				try(in, i, j)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b move) int { return cmp.Compare(b.gain, a.gain) })
	return list, nil
}
