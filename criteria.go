package fsa

import (
	"context"

	"fsa/validate"
)

// criteria sets what information criteria ask for: −2 log likelihood of what is learned
// from all rows at each size, in the best way of the size, and its degrees of freedom.
func (t *tuner) criteria(ctx context.Context, curve *validate.Curve, ways []way) error {
	j := t.job
	rows := all(j.data.Rows())
	f, err := j.fold(ctx, validate.Split{Train: rows, Test: rows})
	if err != nil {
		return err
	}
	paths := map[descent]*path{}
	for _, w := range ways {
		if _, done := paths[w.descent]; done {
			continue
		}
		if paths[w.descent], err = f.path(ctx, w.descent, t.sizes); err != nil {
			return err
		}
	}
	n := float64(j.facts.mass)
	curve.Rows, curve.Variables = n, j.groups.Count()
	for i := range curve.Points {
		point := &curve.Points[i]
		p := paths[ways[i].descent]
		if p == nil { // it diverged
			continue
		}
		s, err := p.learn(ctx, way{p.descent, None, j.plan.Ridge}, point.Size, p.begin(None, point.Size))
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
