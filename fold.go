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
	k.options.Threads, k.options.Observe, k.options.Discard = 1, nil, false
	k.target.Weight = weight
	o := &k.options
	if k.design, err = d.Design(ctx, data.DesignOptions{Bins: o.Bins, Spacing: o.Spacing, Scale: o.Scale, Storage: o.Storage}); err != nil {
		return nil, err
	}
	if k.groups, k.force, err = groupVariables(d, k.design, o); err != nil {
		return nil, err
	}
	k.facts = k.newFacts()
	k.facts.counted = len(split.Train)
	k.owned = false
	k.meter = newMeter(&k)
	k.tolerance = foldTolerance * k.lossUnit(ctx)
	return &fold{Job: &k, test: test}, nil
}

// lossUnit returns by how much the mean loss would fall, about, if every row of the null
// model were fitted: half the squares of its slopes over its curvature. Unlike the loss
// itself it says nothing of what can never be fitted.
func (j *Job) lossUnit(ctx context.Context) float64 {
	free, _ := j.objective([]int{}, 0, j.facts.rows).NullModel(ctx)
	rows, outputs := j.data.Rows(), j.response.Loss.Outputs()
	z, slope, curvature := make([]float64, rows*outputs), make([]float64, rows*outputs), make([]float64, rows)
	for c, v := range free {
		for i := range rows {
			z[c*rows+i] = v
		}
	}
	t := loss.Target{Y: j.target.Y, Weight: j.target.Weight, Query: j.target.Query, Pairs: j.target.Pairs}
	j.response.Loss.Eval(slope, z, t)
	weight := j.response.Loss.Curvature(curvature, t)
	squares := 0.0
	for i, s := range slope {
		if w := t.WeightOf(i % rows); w > 0 {
			squares += s * s / w
		}
	}
	return squares / weight / 2 / max(mean(curvature)*float64(rows)/weight, math.SmallestNonzeroFloat64)
}

// loss returns the mean loss of what was learned on the rows that were not learned from.
func (f *fold) loss(s *subset.Solution) float64 {
	t := loss.Target{Y: f.target.Y, Weight: f.test, Query: f.target.Query, Pairs: f.target.Pairs}
	sum, weight := f.response.Loss.Eval(make([]float64, len(s.Z)), s.Z, t)
	return sum / weight
}
