package fsa

import (
	"context"
	"errors"
	"math"

	"fsa/anneal"
	"fsa/model"
)

// guard is a stage against overfitting. The best of many variables fit the noise of few
// rows: k of M without any meaning explain about the share 1 − M^(−k/N), as in swaps, and less where
// they are a large part of all.
// Where more than a tenth of what was explained may be such selection noise, the search
// is repeated with the ridge that this calls for, and what is chosen then is learned with
// the ridge that it calls for itself.
func guard(ctx context.Context, j *Job, s *selection) (*selection, error) {
	ridge, err := j.ridgeFor(ctx, s)
	if err != nil || ridge == 0 {
		return s, err
	}
	next, err := j.guarded(ctx, ridge)
	if errors.Is(err, anneal.ErrDiverged) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	next.guarded = true
	return next, nil
}

// guarded searches with some ridge, and learns what it finds with as much as that calls
// for.
func (j *Job) guarded(ctx context.Context, ridge float64) (*selection, error) {
	j.meter.next(1)
	if j.plan.Polish {
		j.meter.to = j.meter.from + polishProgress*(1-j.meter.from)
	}
	next, err := j.stages(ctx, ridge)
	if err != nil {
		return nil, err
	}
	least := max(j.plan.Ridge, classRidgeRows/float64(j.facts.mass))
	bare, err := j.relearn(ctx, next.chosen, least)
	if err != nil {
		return nil, err
	}
	enough, err := j.ridgeFor(ctx, bare)
	if err != nil || enough >= ridge {
		return next, err
	}
	return j.relearn(ctx, bare.chosen, max(least, enough))
}

// ridgeFor returns the ridge that a selection calls for; 0 is none.
func (j *Job) ridgeFor(ctx context.Context, s *selection) (float64, error) {
	loss, err := s.ob.MeanWithoutRidge(ctx, s.res.Beta)
	if err != nil {
		return 0, err
	}
	_, null := s.ob.NullModel(ctx)
	if !(loss < null) {
		return 0, nil
	}
	// The logarithm of the likelihood gains so much a row by chance, and has gained so
	// much. The curvature is about the second derivative of the loss of a row.
	rows, classes, bins := float64(j.facts.mass), float64(len(j.response.Classes)), float64(j.design.Bins)
	more := max(classes-2, 0) + max(classes-1, 1)*bins/2 // coefficients of a variable, but the first; those of neighbouring knots say much the same
	noise := float64(len(s.chosen)) * (luck(len(s.chosen), j.groups.Count()) + more) / rows / 2
	gain, curvature, least := math.Log(null/loss)/2, 1.0, 0.0
	if j.response.Task == model.Classification {
		gain, curvature, least = null-loss, (classes-1)/(classes*classes)*loss/null, guardRidgeRows/rows
	}
	explained := -math.Expm1(-2 * gain)
	share := 1 - (1-explained)*math.Expm1(2*noise)/explained
	if !(share < guardCertain) {
		return 0, nil
	}
	share = max(share, 1./guardShrinkage)
	return max(curvature/(bins+1)*(1/share-1/guardCertain)/2, least), nil
}

// luck returns how much the best k of some groups without any meaning explain by chance, each of them and
// in variances of one row: that of any one is 1 in the mean, and the mean of the best share k/M of them is
// about 1 + 1.5 log(M/k).
func luck(k, groups int) float64 {
	m := float64(groups)
	return min(math.Log(m), 1+1.5*math.Log(m/float64(k)))
}
