package search

import (
	"context"
	"math"
	"slices"

	"fsa/internal/solve"
	"fsa/internal/tuning"
)

// swapGroups swaps selected groups for others. Groups may have several coefficients, as shape
// functions, categories and models of many classes have. It first tries the dropped groups with the
// largest gradients in place of the selected groups that are worth least. Each new selection is
// fitted to its optimum, and accepted if the objective falls by at least the share gain.
func (s *Sample) swapGroups(ctx context.Context, f *Fit, gain float64) ([]int, error) {
	for range f.Groups {
		next, err := s.swapGroup(ctx, f, gain)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		f = next
	}
	return f.Groups, nil
}

// swapGroup returns a better fit in which one pair of groups is swapped; nil if it finds none.
func (s *Sample) swapGroup(ctx context.Context, f *Fit, gain float64) (*Fit, error) {
	f.result()
	outside, _, _, err := s.outside(ctx, f)
	if err != nil {
		return nil, err
	}
	chosen, worth, _, err := s.byWorth(ctx, f)
	if err != nil {
		return nil, err
	}
	try, tries := *s, 0
	try.Tolerance = max(s.Tolerance, solve.Tried*gain*math.Abs(f.loss))
	for sum := range len(outside) + len(chosen) { // sum of the two ranks, the most promising pairs first
		for out := range min(sum+1, len(chosen)) {
			in := sum - out
			if in >= len(outside) || math.IsInf(worth[out], 1) {
				continue
			}
			if tries++; tries > tuning.SwapTries {
				return nil, nil
			}
			groups := slices.Clone(f.Groups)
			groups[slices.Index(groups, chosen[out])] = outside[in]
			slices.Sort(groups)
			next, err := try.learnNear(ctx, groups, f)
			if err != nil {
				return nil, err
			}
			if f.loss-next.loss > gain*math.Abs(f.loss) {
				return next, nil
			}
		}
	}
	return nil, nil
}
