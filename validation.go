package fsa

import (
	"context"
	"errors"
	"fmt"
	"math"

	"fsa/anneal"
	"fsa/data"
	"fsa/internal/contest"
	"fsa/internal/search"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// Validate lets a contest choose the recipe and, if K is Auto, the size. It returns nil if the plan
// leaves nothing to choose.
func (j *Job) Validate(ctx context.Context) (*model.Validation, error) {
	v, err := j.validate(ctx)
	if err == nil {
		err = j.refer(ctx, v)
	}
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
	if errors.Is(err, validate.ErrFolds) && !j.plan.Open && !j.options.Validation.asked() {
		return nil, nil // the rows cannot be divided, such as those of one query
	}
	if err != nil {
		return nil, err
	}
	j.cut = cut
	if err := j.canRefer(); err != nil {
		return nil, err
	}
	if least := leastTrained(cut); least < 2 {
		if !j.plan.Open && !j.options.Validation.asked() {
			return nil, nil
		}
		return nil, &data.Error{File: j.data.Name, Msg: fmt.Sprintf("%d rows are too few for cross-validation: a fold would learn from %d row; give a size and leave cross-validation out, as with -k 1 --quick, or give more rows", j.data.Rows(), least)}
	}
	c := contest.Config{Plan: j.plan, Folds: make([]contest.Fold, cut.Len()), Repeats: cut.Repeats(), Abreast: j.abreast(), Unit: j.sample.LossUnit(ctx)}
	c.Whole = search.NewRunner(j.sample, j.plan.Sizes)
	defer c.Whole.Close()
	j.sample.Known = map[search.Form]anneal.Lipschitz{}
	folds, held := make([]fold, cut.Len()), j.heldOut()
	for i := range c.Folds {
		split := cut.Split(i)
		s, d, err := j.part(ctx, split.Train, "fold", i, cut.Len())
		if err != nil {
			return nil, err
		}
		folds[i] = fold{s, d}
		c.Folds[i] = contest.Fold{Runner: search.NewRunner(s, j.plan.Sizes), Test: split.Test, Error: func(z []float64) float64 { return held.Error(j.measurer, z, split.Test) }}
		if j.measurer == nil && j.response.Name == "logistic" {
			c.Folds[i].Caution = func(z []float64) float64 { return held.Caution(z, split.Test) }
		}
		if j.measurer == nil && !j.response.Task.Relative() {
			c.Folds[i].Gain = func(z, than []float64) validate.Gain { return held.Gain(z, than, split.Test) }
		}
		defer c.Folds[i].Close()
	}
	if tell := j.options.Run.Count; tell != nil {
		c.Count = func(done, total int) { tell("folds", done, total) }
	}
	if tell := j.options.Run.Curve; tell != nil {
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
	if j.validated, err = j.judge(ctx, verdict, cut, folds); err == nil && j.options.Validation.Rivals {
		j.validated.cut, j.validated.folds = cut, folds
	}
	return j.validated, err
}

// heldOut returns the judge of held-out rows.
func (j *Job) heldOut() contest.Judge {
	return contest.Judge{Sample: j.sample, Loss: j.response.Loss, Weight: j.data.Target.Weight}
}

// leastTrained returns the smallest number of training rows of a fold.
func leastTrained(cut *validate.Folds) int {
	least := math.MaxInt
	for i := range cut.Len() {
		least = min(least, len(cut.Split(i).Train))
	}
	return least
}

// judge records the choice and its reason.
func (j *Job) judge(ctx context.Context, verdict *contest.Verdict, cut *validate.Folds, folds []fold) (*validated, error) {
	measure := j.measureName()
	best, curve := verdict.Trial, verdict.Curve
	v := &validated{verdict: verdict, record: &model.Validation{
		Folds: cut.Len(), Measure: measure, Best: curve.Points[verdict.Best].Size, Chosen: best.Size,
		Null: signed(measure, verdict.Null.Error), Ridge: best.Recipe.Ridge, Adaptive: best.Recipe.Adaptive, Swapped: best.Recipe.Swaps != search.Swaps{},
	}}
	if j.plan.Open {
		v.record.Rule = j.plan.Rule
	}
	for _, p := range curve.Points {
		v.record.Points = append(v.record.Points, model.ValidationPoint{Size: p.Size, Mean: signed(measure, p.Mean), SE: p.SE})
	}
	z, has, err := j.outOfFold(cut, marginsOf(ctx, verdict.Fits))
	if err != nil {
		return nil, err
	}
	if j.options.Validation.Reference != "" || j.options.Validation.Losses {
		honest, err := verdict.Honest(ctx)
		if err != nil {
			return nil, err
		}
		if v.honest, v.judged, err = j.outOfFold(cut, marginsOf(ctx, honest)); err != nil {
			return nil, err
		}
	}
	null, _, err := j.outOfFold(cut, marginsOf(ctx, verdict.NullFits))
	if err != nil {
		return nil, err
	}
	v.record.Gain, v.record.GainSE, v.record.GainRank = j.gainOverNull(z, null, has)
	if v.evidence, err = j.evidence(verdict, cut, folds, has); err != nil {
		return nil, err
	}
	if j.options.Validation.Losses {
		v.evidence.Losses = j.heldOut().RowLosses(v.honest, v.judged)
	}
	v.calibration = j.options.Validation.calibrate(&validate.OutOfFold{Z: z, Has: has, Fold: v.evidence.Fold, Y: j.sample.Target.Y, Weight: j.data.Target.Weight, Outputs: j.response.Loss.Outputs()}, cut.Len())
	r, calibrated, threshold := j.response, j.options.Validation.Calibrate, v.calibration.threshold
	v.evidence.Prediction = r.Prediction(z, calibrated, threshold)
	v.record.Repeats = cut.Repeats()
	v.record.Metrics = r.MeasureAs(z, has, calibrated, threshold)
	v.record.Scores = r.Scores(z, has, calibrated)
	v.record.Agreement, v.record.Shares = v.evidence.agreement(j.data)
	return v, nil
}

// marginsOf returns the margins of the held-out rows by the fits of the folds; nil if a fit diverged.
func marginsOf(ctx context.Context, fits []*search.Fit) func(fold int, test []int) ([]float64, error) {
	return func(fold int, test []int) ([]float64, error) {
		if fits[fold] == nil {
			return nil, nil
		}
		return fits[fold].MarginsOf(ctx, test)
	}
}

// outOfFold returns the out-of-fold decision values, row after row, and which rows have one. With
// several repeats they are means. margins returns those of a fold, output after output, or nil if it has none.
func (j *Job) outOfFold(cut *validate.Folds, margins func(fold int, test []int) ([]float64, error)) (z []float64, has []bool, err error) {
	rows, outputs := j.data.Rows(), j.response.Loss.Outputs()
	z, has = make([]float64, rows*outputs), make([]bool, rows)
	times := make([]float64, rows)
	for i := range cut.Len() {
		test := cut.Split(i).Test
		of, err := margins(i, test)
		if err != nil {
			return nil, nil, err
		}
		if of == nil {
			continue
		}
		for i, row := range test {
			has[row] = true
			times[row]++
			for c := range outputs {
				z[row*outputs+c] += of[c*len(test)+i]
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

// evidence returns the details of the validation.
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

// foldModels returns the models of the folds, if they have one output.
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
		l.Decision = fit.Complete().Z
		m, err := model.FromDesign(folds[i].data, l)
		if err != nil {
			return nil, err
		}
		has := make([]bool, j.data.Rows())
		for _, row := range split.Test {
			has[row] = true
		}
		list.Add(m, j.response.Residuals(l.Decision, has))
	}
	return list, nil
}

// gainOverNull compares the out-of-fold loss of each row with that of the null model of its fold. It
// returns the mean gain, its standard error, and the statistic of the signed-rank test, which is
// robust against single rows. The statistic is 0 for classes: without signal, many rows gain a
// little and few lose much, which ranks would take for a signal. Rows are compared because folds are
// too few to distinguish noise from signal. If rows are not independent, as in queries, all results are 0.
func (j *Job) gainOverNull(z, null []float64, has []bool) (mean, se, rank float64) {
	if j.response.Task.Relative() {
		return 0, 0, 0
	}
	gain, list := j.heldOut().GainOver(z, null, has)
	if j.response.Task == loss.Regression {
		rank = validate.SignedRank(list)
	}
	mean, se = gain.Mean()
	return mean, se, rank
}
