package fsa

import (
	"context"

	"fsa/validate"
)

// criteria sets what information criteria ask for: −2 log likelihood of what is learned
// from all rows at each size, and its degrees of freedom.
func (t *tuner) criteria(ctx context.Context, curve *validate.Curve, w way) error {
	j := t.job
	rows := all(j.data.Rows())
	f, err := j.fold(ctx, validate.Split{Train: rows, Test: rows})
	if err != nil {
		return err
	}
	p, err := f.path(ctx, w.descent, t.sizes)
	if err != nil || p == nil {
		return err
	}
	n := float64(j.facts.counted)
	curve.Rows, curve.Variables = n, j.groups.Count()
	for i := range curve.Points {
		point := &curve.Points[i]
		s, err := p.learn(ctx, way{w.descent, None, j.plan.Ridge}, point.Size)
		if err != nil {
			return err
		}
		point.DF = float64(len(s.Beta) * len(s.Beta[0]))
		if point.Loss = 2 * n * s.Loss; j.response.Kind.Quadratic {
			point.Loss = validate.NormalLoss(2*s.Loss, n)
		}
	}
	return nil
}
