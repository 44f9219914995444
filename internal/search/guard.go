package search

import (
	"context"
	"errors"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/tuning"
	"fsa/loss"
)

// guard protects against overfitting. The best of many variables fit the noise of few rows: the best
// k of M variables without any effect explain about the share 1 − M^(−k/N) of the variance, and less
// if k is a large part of M. If more than a tenth of the explained variance may be such selection
// noise, guard repeats the search with a ridge that is as strong as this noise requires. The ridge of
// the final fit is chosen anew for the new selection.
func (s *Sample) guard(ctx context.Context, recipe Recipe, f *Fit) (*Fit, error) {
	ridge, err := s.ridgeFor(ctx, f)
	if err != nil || ridge == 0 {
		return f, err
	}
	next, err := s.guarded(ctx, recipe, ridge, len(f.Groups))
	if errors.Is(err, anneal.ErrDiverged) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	next.Guarded = true
	return next, nil
}

// guarded repeats the search with the given ridge, and fits the new selection with the ridge that it
// requires.
func (s *Sample) guarded(ctx context.Context, recipe Recipe, ridge float64, size int) (*Fit, error) {
	s.Meter.next(1)
	if recipe.Polish {
		s.Meter.to = s.Meter.from + (1-s.Meter.from)/2
	}
	next, err := s.steps(ctx, recipe, ridge, size)
	if err != nil {
		return nil, err
	}
	d, least := recipe.Select.Descent, max(recipe.Ridge, tuning.ClassRidgeRows/float64(s.Effective))
	bare, err := s.relearn(ctx, d, slices.Clone(next.Groups), least)
	if err != nil {
		return nil, err
	}
	enough, err := s.ridgeFor(ctx, bare)
	if err != nil || enough >= ridge {
		return next, err
	}
	return s.relearn(ctx, d, slices.Clone(bare.Groups), max(least, enough))
}

// ridgeFor returns the ridge that the selection noise of a fit requires; 0 means none.
func (s *Sample) ridgeFor(ctx context.Context, f *Fit) (float64, error) {
	mean, err := f.ob.MeanWithoutRidge(ctx, f.res.Beta)
	if err != nil {
		return 0, err
	}
	_, null := f.ob.NullModel(ctx)
	if !(mean < null) {
		return 0, nil
	}
	// noise is the expected gain of the log likelihood per row by chance, and gain the observed one.
	// curvature is about the second derivative of the loss of a row.
	rows, classes, bins, k := float64(s.Effective), float64(s.Classes), float64(s.Design.Bins), float64(len(f.Groups))
	more := max(classes-2, 0) + max(classes-1, 1)*bins/2 // coefficients of a variable besides the first; neighbouring knots are correlated and count half
	noise := k * (chanceGain(k, float64(s.Groups.Count())) + more) / rows / 2
	gain, curvature, least := math.Log(null/mean)/2, 1.0, 0.0
	switch {
	case s.Task == loss.Classification:
		gain, curvature, least = null-mean, (classes-1)/(classes*classes)*mean/null, tuning.FewRowsRidge/rows
	case !s.Kind.Dispersed: // such as counts
		gain = (null - mean) * loss.NatsOf(s.Loss)
	}
	explained := -math.Expm1(-2 * gain)
	share := 1 - (1-explained)*math.Expm1(2*noise)/explained
	if !(share < tuning.GuardCertain) {
		return 0, nil
	}
	share = max(share, 1-tuning.GuardCertain)
	return max(curvature/(bins+1)*(1/share-1/tuning.GuardCertain)/2, least), nil
}

// chanceGain returns how much each of the best k of m groups without any effect explains by chance,
// in units of the variance of one row. The mean over all groups is 1, and the mean over the best k
// is about 1 + 1.5 log(m/k).
func chanceGain(k, m float64) float64 { return min(math.Log(m), 1+1.5*math.Log(m/k)) }
