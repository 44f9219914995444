package search

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"fsa/loss"
)

// StandOut returns the first columns of the groups of a fit that stand out from a number of irrelevant ones on the rows of
// the sample: the likelihood ratio of the fit with and without the group is above the median of the largest that any of
// these would have. All fits have the given ridge. The loss must be a likelihood.
func (s *Sample) StandOut(ctx context.Context, f *Fit, irrelevant int, ridge float64) ([]int, error) {
	subsets, err := s.Subsets(ctx, f.Groups, ridge, false)
	if err != nil {
		return nil, err
	}
	with, columns, err := subsets.lossOf(ctx, f.Groups)
	if err != nil {
		return nil, err
	}
	var list []int
	left := make([]int, 0, len(f.Groups))
	for i, g := range f.Groups {
		left = append(append(left[:0], f.Groups[:i]...), f.Groups[i+1:]...)
		without, others, err := subsets.lossOf(ctx, left)
		if err != nil {
			return nil, err
		}
		freedom := distuv.ChiSquared{K: float64((columns - others) * s.Loss.Outputs())}
		if s.likelihoodRatio(without, with) > freedom.Quantile(math.Exp2(-1/float64(max(irrelevant, 1)))) {
			list = append(list, s.Columns([]int{g})...)
		}
	}
	return list, nil
}

// likelihoodRatio returns twice the logarithm of the likelihood ratio of two mean losses.
func (s *Sample) likelihoodRatio(without, with float64) float64 {
	n := float64(s.Effective)
	if s.Kind.Dispersed { // the scale is that of the errors
		return n * math.Log(without/with)
	}
	return 2 * n * loss.NatsOf(s.Loss) * (without - with)
}
