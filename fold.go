package fsa

import (
	"context"
	"math"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/subset"
	"fsa/loss"
	"fsa/validate"
)

// fold is a job that learns from some of the rows, and is tested on others.
type fold struct {
	*Job
	lipschitz anneal.Lipschitz // of the gradient at the start, about; the zero value means that it is not known
	test      []float64        // weight of each row in the test; 0 of those learned from
}

// fold returns the job of a split. Nothing is copied: rows that are not learned from have
// no weight. Whatever is learned from rows, scales and knots too, is learned from those
// of the split alone.
func (j *Job) fold(ctx context.Context, split validate.Split) (*fold, error) {
	rows := j.data.Rows()
	weight, measured, test := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	own := loss.Target{Weight: j.target.Weight}        // with those of classes
	plain := loss.Target{Weight: j.data.Target.Weight} // without
	for _, i := range split.Train {
		weight[i], measured[i] = own.WeightOf(i), plain.WeightOf(i)
	}
	for _, i := range split.Test {
		test[i] = own.WeightOf(i)
	}
	d, err := j.data.Weighted(ctx, measured)
	if err != nil {
		return nil, err
	}
	k := *j
	k.data = d
	k.options.Threads, k.options.Observe, k.options.Count, k.options.Curve, k.options.Stop, k.options.Discard = 1, nil, nil, nil, nil, false
	k.target.Weight = weight
	o := &k.options
	if k.design, err = d.Design(ctx, data.DesignOptions{Bins: o.Bins, Spacing: o.Spacing, Scale: o.Scale, Storage: o.Storage}); err != nil {
		return nil, err
	}
	if k.groups, k.force, err = groupVariables(d, k.design, o); err != nil {
		return nil, err
	}
	k.facts = k.newFacts()
	k.owned = false
	k.meter = newMeter(&k)
	if k.categories, err = k.categoryRows(ctx); err != nil {
		return nil, err
	}
	k.tolerance = foldTolerance * k.lossUnit(ctx)
	return &fold{Job: &k, test: test}, nil
}

// pooled returns the fold with some share of the prior on categories.
func (f *fold) pooled(share float64) *fold {
	job, to := *f.Job, *f
	job.pool(share)
	to.Job = &job
	return &to
}

// lossUnit returns by how much the mean loss would fall, about, if every row of the null
// model were fitted: half the squares of its slopes over its curvature. Unlike the loss
// itself it says nothing of what can never be fitted.
func (j *Job) lossUnit(ctx context.Context) float64 {
	slopes, weight := j.nullSlopes(ctx)
	var squares, heavy float64
	for i, w := range weight {
		heavy += w
		for _, s := range slopes {
			if w > 0 {
				squares += s[i] * s[i] / w
			}
		}
	}
	curvature := make([]float64, len(weight))
	j.response.Loss.Curvature(curvature, loss.Target{Y: j.target.Y, Weight: j.target.Weight, Query: j.target.Query, Pairs: j.target.Pairs})
	return squares / heavy / 2 / max(mean(curvature)*float64(len(weight))/heavy, math.SmallestNonzeroFloat64)
}

// loss returns the mean loss of what was learned on the rows that were not learned from.
func (f *fold) loss(s *subset.Solution) float64 {
	if f.measurer != nil {
		return f.measure(s)
	}
	t := loss.Target{Y: f.target.Y, Weight: f.test, Query: f.target.Query, Pairs: f.target.Pairs}
	sum, weight := f.response.Loss.Eval(make([]float64, len(s.Z)), s.Z, t)
	if weight == 0 { // no pair of grades is among them
		return 0
	}
	return sum / weight
}
