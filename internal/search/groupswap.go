package search

import (
	"context"
	"math"
	"slices"

	"fsa/internal/tuning"
)

// swapGroups exchanges groups that may have several coefficients, such as curves, categories and
// those of many classes. The pairs that are tried first are of a group outside along which the
// loss falls fast and a selected one without which it rises little; a pair is learned to its
// optimum, and taken if that lowers the objective by as much as it has to.
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

// swapGroup returns a fit with one pair swapped that is better; nil if there is none.
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
	tries := 0
	for sum := range len(outside) + len(chosen) { // of the places of both in their orders
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
			next, err := s.Learn(ctx, groups, f.Ridge, false, nil)
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
