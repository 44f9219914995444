package fsa

import (
	"cmp"
	"context"
	"slices"

	"fsa/internal/subset"
	"fsa/model"
	"fsa/validate"
)

// validated is what cross-validation has chosen.
type validated struct {
	record    *model.Validation
	outOfFold []float64 // decision values of all rows, each by what was not learned from it
	has       []bool    // which rows have one
}

// Validate lets cross-validation choose what the plan leaves to it: the ridge, whether to
// swap and, where K is Auto, the size. It returns nil where the plan leaves nothing to it.
func (j *Job) Validate(ctx context.Context) (*model.Validation, error) {
	v, err := j.validate(ctx)
	if v == nil || err != nil {
		return nil, err
	}
	return v.record, nil
}

func (j *Job) validate(ctx context.Context) (*validated, error) {
	if !j.plan.Tune {
		return nil, nil
	}
	sizes, rule := []int{j.plan.K}, ""
	if j.options.K == Auto {
		sizes, rule = j.sizes(), cmp.Or(j.options.Choose, defaultRule)
	}
	t, err := j.newTuner(ctx, j.plan.Folds, sizes)
	if err != nil {
		return nil, err
	}
	best, err := t.ridge(ctx)
	if err != nil {
		return nil, err
	}
	v, err := t.choose(ctx, best, rule)
	for _, f := range t.folds {
		j.meter.Cells += f.meter.Cells
	}
	return v, err
}

// sizes returns those that are compared.
func (j *Job) sizes() []int {
	most := j.plan.K
	if len(j.options.Sizes) == 0 {
		return sizesUpTo(most)
	}
	sizes := slices.Clone(j.options.Sizes)
	for i := range sizes {
		sizes[i] = min(sizes[i], j.groups.Count())
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// choose takes a size, first among those of the list and then among its neighbours, and
// asks whether swaps help there.
func (t *tuner) choose(ctx context.Context, tr *trial, rule string) (*validated, error) {
	curve := validate.NewCurve(t.sizes, tr.losses, nil, 1)
	at := 0
	var err error
	if rule != "" {
		if at, err = curve.Choose(rule); err != nil {
			return nil, err
		}
		if more := between(t.sizes, t.sizes[at]); len(more) > 0 && len(t.job.options.Sizes) == 0 {
			if err := t.add(ctx, tr, more); err != nil {
				return nil, err
			}
			curve = validate.NewCurve(t.sizes, tr.losses, nil, 1)
			if at, err = curve.Choose(rule); err != nil {
				return nil, err
			}
		}
	}
	size := t.sizes[at]
	if len(t.sizes) > 1 {
		if err := t.each(ctx, func(i int) error { return tr.swap(ctx, i, size) }); err != nil {
			return nil, err
		}
	}
	solutions, swapped := tr.swapped, tr.helps(curve.Points[at].Errors)
	if !swapped {
		if solutions, err = t.solutions(ctx, tr, size); err != nil {
			return nil, err
		}
	}
	lowest, err := curve.Choose("min")
	if err != nil {
		return nil, err
	}
	null, err := t.null(ctx, tr)
	if err != nil {
		return nil, err
	}
	v := &validated{record: &model.Validation{
		Folds: len(t.folds), Measure: t.job.response.Name, Rule: rule, Best: t.sizes[lowest], Chosen: size,
		Null: null, Ridge: tr.ridge, Swapped: swapped,
	}}
	for _, p := range curve.Points {
		v.record.Points = append(v.record.Points, model.ValidationPoint{Size: p.Size, Mean: p.Mean, SE: p.SE})
	}
	v.outOfFold, v.has = t.outOfFold(solutions)
	v.record.Metrics = t.job.response.Measure(v.outOfFold, v.has)
	return v, nil
}

// add compares more sizes, which the descents have passed.
func (t *tuner) add(ctx context.Context, tr *trial, sizes []int) error {
	for _, size := range sizes {
		losses := make([]float64, len(t.folds))
		err := t.each(ctx, func(i int) (err error) {
			losses[i], err = tr.paths[i].loss(ctx, size)
			return err
		})
		if err != nil {
			return err
		}
		t.sizes, tr.losses = append(t.sizes, size), append(tr.losses, losses)
	}
	t.sizes, tr.losses = bySize(t.sizes, tr.losses)
	return nil
}

// null returns the mean loss of the null model on rows that were not learned from.
func (t *tuner) null(ctx context.Context, tr *trial) (float64, error) {
	losses := make([]float64, len(t.folds))
	err := t.each(ctx, func(i int) error {
		s, err := tr.paths[i].problem.Null(ctx)
		if err == nil {
			losses[i] = t.folds[i].loss(s)
		}
		return err
	})
	return mean(losses), err
}

// with returns the job with what validation has chosen.
func (j *Job) with(v *validated) *Job {
	to := *j
	o := j.options
	o.K, o.Ridge = v.record.Chosen, cmp.Or(v.record.Ridge, None)
	to.facts.chosen = true
	to.plan = newPlan(&o, to.facts, j.response.Loss.Outputs())
	to.plan.Ridge, to.plan.CategoryRows, to.plan.Exact = v.record.Ridge, j.plan.CategoryRows, j.plan.Exact
	to.plan.Tune, to.plan.Guard = false, false
	if j.plan.Exact {
		to.plan.Swap = false
	}
	to.plan.SwapExactly = v.record.Swapped
	return &to
}

// nothing returns the selection of no group.
func (j *Job) nothing(ctx context.Context) (*selection, error) {
	ob := j.objective([]int{}, 0, j.facts.rows)
	p, err := j.subset(ctx, ob)
	if err != nil {
		return nil, err
	}
	s := &selection{ob: ob, problem: p}
	if s.solution, err = p.Solve(ctx, nil, (*subset.Solution)(nil)); err != nil {
		return nil, err
	}
	s.keep(nil)
	return s, nil
}
