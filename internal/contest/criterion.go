package contest

import (
	"context"
	"errors"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/loss"
	"fsa/validate"
)

// setLikelihood sets the fields of a point of a curve that information criteria need: −2 log likelihood of the recipe on
// all rows, and its degrees of freedom. If the descent diverges, the point stays unchanged.
func setLikelihood(ctx context.Context, whole *search.Runner, curve *validate.Curve, at int, r search.Recipe) error {
	n, point := float64(whole.Effective), &curve.Points[at]
	curve.Rows, curve.Variables = n, whole.Groups.Count()
	if r.Select.Interactions.Most > 0 { // any pair might have been selected
		curve.Variables += curve.Variables * (curve.Variables - 1) / 2
	}
	fit, err := whole.Run(ctx, r, point.Size)
	if errors.Is(err, anneal.ErrDiverged) {
		return nil
	}
	if err != nil {
		return err
	}
	mean, coefficients, err := fit.MeanLoss(ctx)
	if err != nil {
		return err
	}
	point.DF = float64(coefficients)
	if point.Loss = 2 * n * mean * loss.NatsOf(whole.Loss); whole.Kind.Dispersed {
		point.Loss = validate.NormalLoss(max(2*mean, math.SmallestNonzeroFloat64), n) // a column may equal the target
	}
	return nil
}

// Value is the value of an information criterion at a size.
type Value struct {
	Size  int
	Value float64
}

// ByCriterion chooses the size by an information criterion, from one selection on all rows and without folds.
func ByCriterion(ctx context.Context, whole *search.Runner, p *plan.Plan) (size int, values []Value, err error) {
	sizes := p.Sizes
	for {
		curve := validate.NewCurve(sizes, slices.Repeat([][]float64{{math.NaN()}}, len(sizes)), nil, 1) // there are no out-of-fold errors
		for i := range sizes {
			if err := setLikelihood(ctx, whole, curve, i, p.Recipe); err != nil {
				return 0, nil, err
			}
		}
		at, err := curve.Choose(p.Rule)
		if err != nil {
			return 0, nil, err
		}
		more := between(sizes, sizes[at])
		if len(more) > 0 && p.Refine {
			sizes = append(slices.Clone(sizes), more...)
			slices.Sort(sizes)
			continue
		}
		for i, v := range curve.Criterion(p.Rule) {
			if finite(v) { // the criterion of a descent that diverged is not known
				values = append(values, Value{sizes[i], v})
			}
		}
		return sizes[at], values, nil
	}
}
