package fsa

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"fsa/model"
	"fsa/validate"
)

// validated is what cross-validation has chosen.
type validated struct {
	way
	record      *model.Validation
	evidence    *Evidence
	calibration calibration
	losses      []float64 // of the folds
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
	if j.validated != nil {
		return j.validated, nil
	}
	if !j.plan.Tune {
		return nil, nil
	}
	sizes, rule := []int{j.plan.K}, ""
	if j.options.K == Auto {
		sizes, rule = j.sizes(), cmp.Or(j.options.Choose, defaultRule)
	}
	t, err := j.newTuner(ctx, j.plan.Folds, sizes)
	if errors.Is(err, validate.ErrFolds) && j.options.K != Auto && !j.options.asksValidation() {
		return nil, nil // the rows cannot be cut, such as those of one query
	}
	if err != nil {
		return nil, err
	}
	defer t.close()
	best, err := t.best(ctx)
	if err != nil {
		return nil, err
	}
	if rule != "" {
		if best, err = t.size(ctx, best, rule); err != nil {
			return nil, err
		}
	}
	if best, err = t.orAdaptive(ctx, best); err != nil {
		return nil, err
	}
	v, err := t.record(ctx, best, rule)
	for _, f := range t.folds {
		j.meter.Cells += f.meter.Cells
	}
	if err == nil {
		j.evidence = v.evidence
	}
	return v, err
}

// sizes returns those that are compared, which have room for what must stay.
func (j *Job) sizes() []int {
	sizes := slices.Clone(j.options.Sizes)
	if len(sizes) == 0 {
		sizes = sizesUpTo(j.plan.K)
	}
	for i := range sizes {
		sizes[i] = min(max(sizes[i], len(j.force)), j.groups.Count())
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// size takes a size by a rule, first among those of the list and then among its
// neighbours, and finds the best way to fit there.
func (t *tuner) size(ctx context.Context, best choice, rule string) (choice, error) {
	ways := t.ways()
	t.compared = ways
	for {
		curve, of, err := t.curve(ctx, ways)
		if err != nil {
			return best, err
		}
		if rule != "min" && rule != defaultRule {
			if err := t.criteria(ctx, curve, of); err != nil {
				return best, err
			}
		}
		at, err := curve.Choose(rule)
		if err != nil {
			return best, err
		}
		best.size = t.sizes[at]
		more := between(t.sizes, best.size)
		if len(more) == 0 || len(t.job.options.Sizes) > 0 {
			break
		}
		t.sizes = append(t.sizes, more...)
		slices.Sort(t.sizes)
	}
	var descents []descent
	for _, w := range ways {
		descents = append(descents, w.descent)
	}
	there, err := t.among(ctx, descents, []int{best.size})
	if err != nil {
		return best, err
	}
	if there, err = t.orSwapped(ctx, there); err != nil || validate.IsCriterion(rule) {
		return there, err
	}
	return t.smaller(ctx, there, rule)
}

// smaller goes on to smaller sizes if the rule takes these once variables are swapped.
// What a descent drops too early comes back only at a larger size of its path, so that the
// curve without swaps may ask for more variables than there are to find.
func (t *tuner) smaller(ctx context.Context, best choice, rule string) (choice, error) {
	if !t.swappable(best) {
		return best, nil
	}
	curve, _, err := t.curve(ctx, t.compared)
	if err != nil {
		return best, err
	}
	lowest, err := curve.Choose("min")
	if err != nil {
		return best, err
	}
	tries := smallerTries
	for at := slices.Index(t.sizes, best.size) - 1; at >= 0 && t.sizes[at] > 0 && tries > 0; at-- {
		next, err := t.swapped(ctx, best, t.finely(t.sizes[at]), t.sizes[at])
		if err != nil {
			return best, err
		}
		sizes, losses := []int{next.size, best.size}, [][]float64{next.losses, best.losses}
		if t.sizes[0] == 0 {
			sizes, losses = slices.Insert(sizes, 0, 0), slices.Insert(losses, 0, curve.Points[0].Errors)
		}
		if p := curve.Points[lowest]; p.Size > best.size {
			sizes, losses = append(sizes, p.Size), append(losses, p.Errors)
		}
		chosen, err := validate.NewCurve(sizes, losses, nil, t.cut.Repeats()).Choose(rule)
		if err != nil {
			return best, err
		}
		if sizes[chosen] == next.size {
			best, tries = next, smallerTries
		} else if better(best.losses, next.losses) {
			tries--
		}
	}
	return best, nil
}

// record says what was chosen, and why.
func (t *tuner) record(ctx context.Context, best choice, rule string) (*validated, error) {
	ways := t.compared
	if ways == nil {
		ways = t.ways()
	}
	curve, _, err := t.curve(ctx, ways)
	if err != nil {
		return nil, err
	}
	lowest, err := curve.Choose("min")
	if err != nil {
		return nil, err
	}
	nothing := best.way
	nothing.swap, nothing.adaptive = swaps{}, false
	null, err := t.try(ctx, nothing, 0)
	if err != nil {
		return nil, err
	}
	measure := t.job.measureName()
	v := &validated{way: best.way, losses: best.losses, record: &model.Validation{
		Folds: len(t.folds), Measure: measure, Rule: rule, Best: t.sizes[lowest], Chosen: best.size,
		Null: signed(measure, mean(null.losses)), Ridge: best.ridge, Adaptive: best.adaptive, Swapped: best.swap != swaps{},
	}}
	for _, p := range curve.Points {
		if p.Size == best.size {
			p = validate.NewCurve([]int{p.Size}, [][]float64{best.losses}, nil, t.cut.Repeats()).Points[0]
		}
		v.record.Points = append(v.record.Points, model.ValidationPoint{Size: p.Size, Mean: signed(measure, p.Mean), SE: p.SE})
	}
	for _, c := range []choice{best, {nothing, null, 0}} {
		if err := t.complete(ctx, c); err != nil {
			return nil, err
		}
	}
	z, has := t.outOfFold(best.solutions)
	v.record.Gain, v.record.GainSE, v.record.GainRank = t.gainOverNull(z, has, null)
	v.evidence = t.evidence(curve, best, has)
	if v.evidence.Folds, err = t.models(best); err != nil {
		return nil, err
	}
	v.calibration = t.calibrate(z, has, v.evidence.Fold)
	r, calibrated, threshold := t.job.response, t.job.options.Calibrate, v.calibration.threshold
	v.evidence.Prediction = r.Prediction(z, calibrated, threshold)
	v.record.Repeats = t.cut.Repeats()
	v.record.Metrics = r.MeasureAs(z, has, calibrated, threshold)
	v.record.Scores = r.Scores(z, has, calibrated)
	v.record.Agreement, v.record.Shares = v.evidence.agreement(t.job.data)
	return v, nil
}

// with returns the job with what validation has chosen.
func (j *Job) with(v *validated) *Job {
	to := *j
	to.validated, to.calibration = nil, &v.calibration
	o := j.options
	o.K, o.Ridge = v.record.Chosen, cmp.Or(v.record.Ridge, None)
	to.facts.chosen = true
	p := newPlan(&o, to.facts, j.response.Loss.Outputs())
	p.Exact, p.Tune, p.Guard = j.plan.Exact || v.record.Swapped, false, false // swaps begin at the optimum
	p.Ridge, p.DescentRidge, p.Adaptive = v.ridge, v.descent.ridge, v.adaptive
	to.pool(v.descent.pooling)
	switch {
	case v.record.Swapped:
		p.SwapExactly, p.SwapRidge, p.SwapGain = true, v.swap.ridge, v.swap.gain
	case v.record.Rule != "": // folds are worse with swaps
		p.SwapExactly = false
	case p.SwapExactly:
		p.SwapRidge = v.ridge
	}
	to.owned = j.owned && !p.comesBack()
	to.plan = p
	return &to
}

// null returns the null model: the selection of no group.
func (j *Job) null(ctx context.Context) (*selection, error) {
	ob := j.objective([]int{}, 0, j.facts.rows)
	p, err := j.subset(ctx, ob)
	if err != nil {
		return nil, err
	}
	s := &selection{ob: ob, problem: p}
	if s.solution, err = p.Solve(ctx, nil, nil); err != nil {
		return nil, err
	}
	s.keep(nil)
	return s, nil
}
