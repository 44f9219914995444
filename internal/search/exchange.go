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
	m, err := s.market(ctx, f, size)
	if err != nil {
		return nil, err
	}
	var list []move
	try := func(in int, out ...int) {
		if to, ok := m.move(in, out...); ok {
			list = append(list, to)
		}
	}
	for _, in := range m.outside {
		try(in)
		for i := range m.chosen {
			try(in, i)
			for j := range i {
				try(in, i, j)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b move) int { return cmp.Compare(b.gain, a.gain) })
	return list, nil
}

// market holds the groups that may enter a selection with prices, and those that may leave it.
type market struct {
	*Sample
	groups  []int     // the selection
	budget  float64   // what a selection may cost
	outside []int     // groups that may enter, those with the largest slope first
	gains   []float64 // predicted decrease of the objective with each group
	chosen  []int     // groups that may leave, those that are worth least first
	worth   []float64 // predicted increase of the objective without each of them
	cheap   []int     // positions in chosen, those that are worth least per price first
}

// market returns the groups that may enter and leave the selection of a fit with the budget of a size.
func (s *Sample) market(ctx context.Context, f *Fit, size int) (*market, error) {
	f.result()
	outside, slope, _, err := s.outside(ctx, f)
	if err != nil {
		return nil, err
	}
	chosen, worth, curvature, err := s.byWorth(ctx, f)
	if err != nil {
		return nil, err
	}
	m := &market{Sample: s, groups: f.Groups, budget: s.Spending.Budgets[size-1], outside: outside[:min(len(outside), tuning.SwapPool)], worth: worth}
	if len(chosen) == 0 && len(f.Groups) > 0 { // the Hessian is singular
		m.outside = nil
	}
	if curvature == 0 { // of an empty selection
		curvature = 1
	}
	for _, v := range slope {
		m.gains = append(m.gains, v*v/curvature/2)
	}
	for len(chosen) > 0 && math.IsInf(worth[len(chosen)-1], 1) { // forced groups stay
		chosen = chosen[:len(chosen)-1]
	}
	m.chosen = chosen[:min(len(chosen), tuning.SwapPool)]
	m.cheap = all(len(m.chosen))
	slices.SortStableFunc(m.cheap, func(a, b int) int {
		return cmp.Compare(worth[a]*s.prices[m.chosen[b]], worth[b]*s.prices[m.chosen[a]])
	})
	return m, nil
}

// allows reports whether the budget allows some groups and another one.
func (m *market) allows(groups []int, in int) bool {
	return len(groups) < m.Spending.Most && Affordable(m.Price(groups)+m.prices[in], m.budget)
}

// move returns the move that drops some of the chosen groups, by their positions, and adds the group in. If that costs too
// much, it drops more of them, and if money is left, it adds more. It returns false if in is too expensive.
func (m *market) move(in int, out ...int) (move, bool) {
	to := move{slices.Clone(m.groups), m.gains[in]}
	drop := func(i int) {
		if at, found := slices.BinarySearch(to.groups, m.chosen[i]); found {
			to.groups = slices.Delete(to.groups, at, at+1)
			to.gain -= m.worth[i]
		}
	}
	for _, i := range out {
		drop(i)
	}
	for _, i := range m.cheap {
		if m.allows(to.groups, in) {
			break
		}
		drop(i)
	}
	if !m.allows(to.groups, in) {
		return to, false
	}
	to.groups = append(to.groups, in)
	for _, g := range m.outside {
		if g != in && m.allows(to.groups, g) {
			to.groups, to.gain = append(to.groups, g), to.gain+m.gains[g]
		}
	}
	slices.Sort(to.groups)
	return to, true
}
