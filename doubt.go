package fsa

import (
	"context"
	"errors"
	"math"

	"fsa/anneal"
)

// The best of many variables fit the noise of few rows: k of M without any meaning
// explain about the share 1 − M^(−k/N), as in exchanges. Where more than a tenth of what
// was explained may be such chance, all begins again with coefficients that are shrunk
// by as much, and what is chosen then is learned with the shrinkage that it calls for
// itself.
const (
	certain   = 0.9  // share of what was explained that is no chance, from which on all is well
	mostDoubt = 3    // times shorter than without shrinkage coefficients become, at most
	fewRows   = 0.5  // more rows, at least, say of classes in doubt that variables add nothing,
	leastRows = 0.05 // and so many of any classes of dense rows, or coefficients of separable ones would grow and grow
)

// doubts reports whether all may begin again.
func (s *search) doubts() bool {
	return s.rereadable() && s.Shrink == 0 && losses[s.resp.name].likely
}

// again searches once more where what was found may be chance.
func (s *search) again(ctx context.Context, f *fitted) (*fitted, error) {
	shrink, err := s.doubt(ctx, f)
	if err != nil || shrink == 0 {
		return f, err
	}
	next, err := s.gently(ctx, f, shrink)
	if errors.Is(err, anneal.ErrDiverged) {
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	next.doubted = true
	return next, nil
}

// gently searches with some shrinkage, and learns what it finds with as much as that
// calls for.
func (s *search) gently(ctx context.Context, f *fitted, shrink float64) (*fitted, error) {
	gentle := *s
	gentle.Shrink, gentle.epochs, gentle.visited = shrink, f.epochs, f.ob.visited
	gentle.from, gentle.to = 1, 1
	next, err := gentle.find(ctx)
	if err != nil {
		return nil, err
	}
	gentle.Shrink = max(s.Shrink, leastRows/float64(s.data.Rows()))
	bare, err := gentle.relearn(ctx, next, next.chosen())
	if err != nil {
		return nil, err
	}
	enough, err := s.doubt(ctx, bare)
	if err != nil || enough >= shrink {
		return next, err
	}
	gentle.Shrink = max(gentle.Shrink, enough)
	return gentle.relearn(ctx, bare, bare.chosen())
}

// doubt returns the strength of the shrinkage that a selection calls for; 0 is none.
func (s *search) doubt(ctx context.Context, f *fitted) (float64, error) {
	prior := f.ob.shrink
	f.ob.shrink.Lambda = 0
	loss, err := f.value(ctx)
	f.ob.shrink = prior
	if err != nil {
		return 0, err
	}
	_, nothing := f.ob.intercept(ctx)
	if !(loss < nothing) {
		return 0, nil
	}
	// The logarithm of the likelihood gains so much a row by chance, and has gained so
	// much. The loss is about so curved.
	rows, classes, bins := float64(s.data.Rows()), float64(len(s.resp.classes)), float64(s.Bins)
	more := max(classes-2, 0) + max(classes-1, 1)*bins/2 // coefficients of a variable, but the first; those of neighbouring knots say much the same
	chance := float64(len(f.res.Groups)) * (math.Log(float64(s.groups.count())) + more) / rows / 2
	gain, curved, least := math.Log(nothing/loss)/2, 1.0, 0.0
	if s.resp.task == Classification {
		gain, curved, least = nothing-loss, (classes-1)/(classes*classes)*loss/nothing, fewRows/rows
	}
	explained := -math.Expm1(-2 * gain)
	share := 1 - (1-explained)*math.Expm1(2*chance)/explained
	if !(share < certain) {
		return 0, nil
	}
	share = max(share, 1./mostDoubt)
	return max(curved/(bins+1)*(1/share-1/certain)/2, least), nil
}
