package fsa

import (
	"context"
	"math"
	"slices"

	"fsa/model"
	"fsa/validate"
)

// informed is what is learned from all rows at every size, by which information criteria
// choose.
type informed struct {
	*fold
	paths map[descent]*path // nil of those that diverged
}

func (j *Job) informed(ctx context.Context) (*informed, error) {
	rows := all(j.data.Rows())
	f, err := j.fold(ctx, validate.Split{Train: rows, Test: rows})
	if err != nil {
		return nil, err
	}
	f.options.Threads, f.options.Observe = j.options.Threads, j.options.Observe // nothing is beside it
	return &informed{f, map[descent]*path{}}, nil
}

// close gives back what paths take elsewhere.
func (in *informed) close() {
	for _, p := range in.paths {
		if p != nil {
			p.close()
		}
	}
}

// set sets what information criteria ask for: −2 log likelihood of what is learned from all
// rows at each size, by the descent that belongs to the size, and its degrees of freedom.
func (in *informed) set(ctx context.Context, curve *validate.Curve, descents []descent) (err error) {
	n := float64(in.facts.mass)
	curve.Rows, curve.Variables = n, in.groups.Count()
	sizes := make([]int, len(curve.Points))
	for i, p := range curve.Points {
		sizes[i] = p.Size
	}
	for i := range curve.Points {
		point, d := &curve.Points[i], descents[i]
		if _, done := in.paths[d]; !done {
			if in.paths[d], err = in.path(ctx, d, sizes); err != nil {
				return err
			}
		}
		p := in.paths[d]
		if p == nil {
			continue
		}
		s, err := p.learn(ctx, way{descent: p.descent, ridge: in.plan.Ridge}, point.Size, p.begin(swaps{}, point.Size))
		if err != nil {
			return err
		}
		point.DF = float64(len(s.Beta) * len(s.Beta[0]))
		if point.Loss = 2 * n * s.Loss; in.response.Kind.Quadratic {
			point.Loss = validate.NormalLoss(max(2*s.Loss, math.SmallestNonzeroFloat64), n) // a column may be the response
		}
	}
	return nil
}

// criteria sets what information criteria ask for, in the best way of each size.
func (t *tuner) criteria(ctx context.Context, curve *validate.Curve, ways []way) (err error) {
	if t.informed == nil {
		if t.informed, err = t.job.informed(ctx); err != nil {
			return err
		}
	}
	descents := make([]descent, len(ways))
	for i, w := range ways {
		descents[i] = w.descent
	}
	return t.informed.set(ctx, curve, descents)
}

// byCriterion chooses the size by an information criterion alone: one descent on all rows,
// and no folds.
func (j *Job) byCriterion(ctx context.Context) (*model.Criterion, error) {
	in, err := j.informed(ctx)
	if err != nil {
		return nil, err
	}
	defer in.close()
	sizes := j.sizes()
	for {
		curve := validate.NewCurve(sizes, slices.Repeat([][]float64{{math.NaN()}}, len(sizes)), nil, 1) // no folds, no errors
		if err := in.set(ctx, curve, slices.Repeat([]descent{{j.plan.Ridge, 1}}, len(sizes))); err != nil {
			return nil, err
		}
		at, err := curve.Choose(j.plan.Criterion)
		if err != nil {
			return nil, err
		}
		more := between(sizes, sizes[at])
		if len(more) > 0 && len(j.options.Sizes) == 0 {
			sizes = append(sizes, more...)
			slices.Sort(sizes)
			continue
		}
		c := &model.Criterion{Rule: j.plan.Criterion, Chosen: sizes[at]}
		for i, v := range curve.Criterion(j.plan.Criterion) {
			if !math.IsNaN(v) && !math.IsInf(v, 0) { // what has diverged has none
				c.Points = append(c.Points, model.CriterionPoint{Size: sizes[i], Value: v})
			}
		}
		return c, nil
	}
}

// sized returns the job with the size that a criterion has chosen.
func (j *Job) sized(c *model.Criterion) *Job {
	to := *j
	o := j.options
	o.K = c.Chosen
	to.facts.chosen, to.criterion = true, c
	to.plan = newPlan(&o, to.facts, j.response.Loss.Outputs())
	return &to
}
