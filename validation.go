package fsa

import (
	"context"
	"errors"

	"fsa/anneal"
	"fsa/internal/contest"
	"fsa/internal/search"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// Validate lets a contest choose what the plan leaves to it: the recipe and, where K is Auto,
// the size. It returns nil where the plan leaves nothing to it.
func (j *Job) Validate(ctx context.Context) (*model.Validation, error) {
	v, err := j.validate(ctx)
	if v == nil || err != nil {
		return nil, err
	}
	return v.record, nil
}

func (j *Job) validate(ctx context.Context) (*validated, error) {
	if j.validated != nil || !j.plan.Contest {
		return j.validated, nil
	}
	cut, err := j.Folds(ctx)
	if errors.Is(err, validate.ErrFolds) && !j.plan.Open && !j.options.asksValidation() {
		return nil, nil // the rows cannot be cut, such as those of one query
	}
	if err != nil {
		return nil, err
	}
	c := contest.Config{Plan: j.plan, Folds: make([]contest.Fold, cut.Len()), Repeats: cut.Repeats(), Abreast: j.abreast(), Unit: j.sample.LossUnit(ctx)}
	c.Whole = search.NewRunner(j.sample, j.plan.Sizes)
	defer c.Whole.Close()
	j.sample.Known = map[search.Form]anneal.Lipschitz{}
	folds := make([]fold, cut.Len())
	for i := range c.Folds {
		split := cut.Split(i)
		s, d, err := j.part(ctx, split.Train, "fold", i)
		if err != nil {
			return nil, err
		}
		folds[i] = fold{s, d}
		c.Folds[i] = contest.Fold{Runner: search.NewRunner(s, j.plan.Sizes), Error: func(z []float64) float64 { return j.error(j.measurer, z, split.Test) }}
		if j.measurer == nil && j.response.Task != loss.Ranking {
			c.Folds[i].Gain = func(z, than []float64) validate.Gain { return j.gainOver(z, than, split.Test) }
		}
		defer c.Folds[i].Close()
	}
	if tell := j.options.Count; tell != nil {
		c.Count = func(done, total int) { tell("folds", done, total) }
	}
	if tell := j.options.Curve; tell != nil {
		c.Point = func(p contest.Point) {
			tell(CurvePoint{First: p.First, Measure: j.measureName(), Size: p.Size, Folds: p.Folds, Of: p.Of, Mean: signed(j.measureName(), p.Mean), SE: p.SE})
		}
	}
	verdict, err := contest.Run(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, f := range c.Folds {
		j.sample.Meter.Cells += f.Meter.Cells
	}
	j.validated, err = j.judge(ctx, verdict, cut, folds)
	return j.validated, err
}

// error returns what a measure says of margins on some rows, less being better; nil measures
// the loss.
func (j *Job) error(measure func(z []float64, has []bool) float64, z []float64, test []int) float64 {
	rows, outputs := j.data.Rows(), j.response.Loss.Outputs()
	if measure == nil {
		return j.meanLoss(z, test)
	}
	by, has := make([]float64, rows*outputs), make([]bool, rows)
	for _, row := range test {
		has[row] = j.weightOf(row) > 0
		for c := range outputs {
			by[row*outputs+c] = z[c*rows+row]
		}
	}
	return measure(by, has)
}

// judge says what was chosen, and why.
func (j *Job) judge(ctx context.Context, verdict *contest.Verdict, cut *validate.Folds, folds []fold) (*validated, error) {
	measure := j.measureName()
	best, curve := verdict.Trial, verdict.Curve
	v := &validated{verdict: verdict, record: &model.Validation{
		Folds: cut.Len(), Measure: measure, Best: curve.Points[verdict.Best].Size, Chosen: best.Size,
		Null: signed(measure, verdict.Null.Mean), Ridge: best.Recipe.Ridge, Adaptive: best.Recipe.Adaptive, Swapped: best.Recipe.Swaps != search.Swaps{},
	}}
	if j.plan.Open {
		v.record.Rule = j.plan.Rule
	}
	for _, p := range curve.Points {
		v.record.Points = append(v.record.Points, model.ValidationPoint{Size: p.Size, Mean: signed(measure, p.Mean), SE: p.SE})
	}
	z, has, err := j.outOfFold(ctx, verdict.Fits, cut)
	if err != nil {
		return nil, err
	}
	null, _, err := j.outOfFold(ctx, verdict.NullFits, cut)
	if err != nil {
		return nil, err
	}
	v.record.Gain, v.record.GainSE, v.record.GainRank = j.gainOverNull(z, null, has)
	if v.evidence, err = j.evidence(verdict, cut, folds, has); err != nil {
		return nil, err
	}
	calibration := j.options.calibrate(&outOfFold{z: z, has: has, fold: v.evidence.Fold, y: j.sample.Target.Y, weight: j.data.Target.Weight, outputs: j.response.Loss.Outputs()}, cut.Len())
	v.calibration = &calibration
	r, calibrated, threshold := j.response, j.options.Calibrate, calibration.threshold
	v.evidence.Prediction = r.Prediction(z, calibrated, threshold)
	v.record.Repeats = cut.Repeats()
	v.record.Metrics = r.MeasureAs(z, has, calibrated, threshold)
	v.record.Scores = r.Scores(z, has, calibrated)
	v.record.Agreement, v.record.Shares = v.evidence.agreement(j.data)
	return v, nil
}

// outOfFold returns the decision values of all rows, each by the folds that have not learned
// from it, row after row, and which rows have one. Of several repeats it is the mean.
func (j *Job) outOfFold(ctx context.Context, fits []*search.Fit, cut *validate.Folds) (z []float64, has []bool, err error) {
	rows, outputs := j.data.Rows(), j.response.Loss.Outputs()
	z, has = make([]float64, rows*outputs), make([]bool, rows)
	times := make([]float64, rows)
	for i, f := range fits {
		if f == nil {
			continue
		}
		of, err := f.Margins(ctx)
		if err != nil {
			return nil, nil, err
		}
		for _, row := range cut.Split(i).Test {
			has[row] = true
			times[row]++
			for c := range outputs {
				z[row*outputs+c] += of[c*rows+row]
			}
		}
	}
	for row, n := range times {
		if n > 1 {
			for c := range outputs {
				z[row*outputs+c] /= n
			}
		}
	}
	return z, has, nil
}

// evidence gathers it.
func (j *Job) evidence(v *contest.Verdict, cut *validate.Folds, folds []fold, has []bool) (e *Evidence, err error) {
	e = &Evidence{Curve: v.Curve, Has: has, Fold: make([]int, len(has))}
	for i := range e.Fold {
		e.Fold[i] = -1
	}
	for i, fit := range v.Fits {
		for _, row := range cut.Split(i).Test {
			if e.Fold[row] < 0 {
				e.Fold[row] = i
			}
		}
		var selected []int
		if fit != nil {
			selected = fit.Columns()
		}
		e.Selected = append(e.Selected, selected)
	}
	e.Folds, err = j.foldModels(v, cut, folds)
	return e, err
}

// foldModels returns the models of one number that the folds have learned.
func (j *Job) foldModels(v *contest.Verdict, cut *validate.Folds, folds []fold) (*model.Folds, error) {
	if j.response.Task != loss.Regression || j.response.Loss.Outputs() > 1 || v.Recipe.Direct {
		return nil, nil
	}
	list := &model.Folds{}
	for i := range cut.Len() / cut.Repeats() {
		fit := v.Fits[i]
		if fit == nil { // it diverged
			return nil, nil
		}
		split := cut.Split(i)
		l := j.learned(folds[i].data, fit, model.Completed)
		l.Decision = fit.Solution.Z
		m, err := model.FromDesign(folds[i].data, l)
		if err != nil {
			return nil, err
		}
		has := make([]bool, j.data.Rows())
		for _, row := range split.Test {
			has[row] = true
		}
		list.Add(m, j.response.Residuals(fit.Solution.Z, has))
	}
	return list, nil
}

// gainOverNull returns by how much out-of-fold decision values lower the loss of a row below that
// of the null model of the fold, on average over rows, the standard error of that, and what
// the signed-rank test says of numbers, to which one row far out is but one. Of classes it is 0:
// where there is nothing to find many rows gain a little and few lose much, which ranks take for a signal.
// Folds are too few to tell chance from signal; rows are more. Rows of a query do not
// count each for itself, and then all are 0.
func (j *Job) gainOverNull(z, base []float64, has []bool) (mean, se, rank float64) {
	if j.response.Task == loss.Ranking {
		return 0, 0, 0
	}
	var rows []int
	for i, ok := range has {
		if ok {
			rows = append(rows, i)
		}
	}
	outputs := j.response.Loss.Outputs()
	gain, list := j.gain(rows, func(own, other []float64, row int) {
		copy(own, z[row*outputs:])
		copy(other, base[row*outputs:])
	})
	if j.response.Task == loss.Regression {
		rank = validate.SignedRank(list)
	}
	mean, se = gain.Mean()
	return mean, se, rank
}

// gainOver returns by how much margins lower the loss of some rows below that of other margins.
func (j *Job) gainOver(z, than []float64, test []int) validate.Gain {
	rows := j.data.Rows()
	gain, _ := j.gain(test, func(own, other []float64, row int) {
		for c := range own {
			own[c], other[c] = z[c*rows+row], than[c*rows+row]
		}
	})
	return gain
}

// gain returns by how much some decision values of a row lower its loss below that of others, in
// all and of each row. Values fills in both.
func (j *Job) gain(rows []int, values func(own, other []float64, row int)) (gain validate.Gain, list []float64) {
	outputs := j.response.Loss.Outputs()
	own, other, r := make([]float64, outputs), make([]float64, outputs), make([]float64, outputs)
	weight := loss.Target{Weight: j.data.Target.Weight}
	for _, i := range rows {
		w := weight.WeightOf(i)
		if w == 0 {
			continue
		}
		values(own, other, i)
		at := loss.Target{Y: j.sample.Target.Y[i : i+1]}
		before, _ := j.response.Loss.Eval(r, other, at)
		after, _ := j.response.Loss.Eval(r, own, at)
		gain.Add(before-after, w)
		list = append(list, before-after)
	}
	return gain, list
}

// weightOf returns the weight of a row, that of its class included.
func (j *Job) weightOf(row int) float64 {
	t := loss.Target{Weight: j.sample.Target.Weight}
	return t.WeightOf(row)
}

// meanLoss returns the mean loss of margins on some rows.
func (j *Job) meanLoss(z []float64, rows []int) float64 {
	t := j.sample.Target
	held := make([]float64, len(t.Y))
	for _, i := range rows {
		held[i] = j.weightOf(i)
	}
	sum, weight := j.response.Loss.Eval(make([]float64, len(z)), z, loss.Target{Y: t.Y, Weight: held, Query: t.Query, Pairs: t.Pairs})
	if weight == 0 { // no pair of grades is among them
		return 0
	}
	return sum / weight
}
