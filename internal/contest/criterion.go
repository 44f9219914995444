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

// SetLikelihood sets what information criteria ask for at a point of a curve: −2 log
// likelihood of the recipe on all rows, and its degrees of freedom. A descent that diverges
// leaves the point as it is.
func SetLikelihood(ctx context.Context, whole *search.Runner, curve *validate.Curve, at int, r search.Recipe) error {
	n, point := float64(whole.Effective), &curve.Points[at]
	curve.Rows, curve.Variables = n, whole.Groups.Count()
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
		point.Loss = validate.NormalLoss(max(2*mean, math.SmallestNonzeroFloat64), n) // a column may be the response
	}
	return nil
}

// Value is what an information criterion is at a size.
type Value struct {
	Size  int
	Value float64
}

// ByCriterion chooses the size by an information criterion alone: one selection on all rows,
// and no folds.
func ByCriterion(ctx context.Context, whole *search.Runner, p *plan.Plan) (size int, values []Value, err error) {
	sizes := p.Sizes
	for {
		curve := validate.NewCurve(sizes, slices.Repeat([][]float64{{math.NaN()}}, len(sizes)), nil, 1) // no folds, no errors
		for i := range sizes {
			if err := SetLikelihood(ctx, whole, curve, i, p.Recipe); err != nil {
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
			if finite(v) { // a descent that diverged has none
				values = append(values, Value{sizes[i], v})
			}
		}
		return sizes[at], values, nil
	}
}
