package fit

import (
	"context"

	"fsa/internal/contest"
	"fsa/internal/search"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// record records the verdict of a contest, and what out-of-fold predictions say about the winner.
func (j *Job) record(ctx context.Context, verdict *contest.Verdict, folds []fold) (*validated, error) {
	measure := j.measure()
	best, curve := verdict.Trial, verdict.Curve
	v := &validated{Verdict: verdict, record: &model.Validation{
		Folds: j.cut.Len(), Repeats: j.cut.Repeats(), Measure: measure, Best: curve.Points[verdict.Best].Size, Chosen: best.Size,
		Null: signed(measure, verdict.Null.Error), Ridge: best.Recipe.Ridge, Adaptive: best.Recipe.Adaptive, Swapped: best.Recipe.Swaps != search.Swaps{},
	}}
	if j.Plan.Open {
		v.record.Rule = j.Plan.Rule
	}
	for _, p := range curve.Points {
		v.record.Points = append(v.record.Points, model.ValidationPoint{Size: p.Size, Mean: signed(measure, p.Mean), SE: p.SE})
		if j.Plan.Budgets != nil {
			v.record.Budgets = append(v.record.Budgets, j.Plan.Budget(p.Size))
		}
	}
	z, has, err := j.outOfFold(marginsOf(ctx, verdict.Fits))
	if err != nil {
		return nil, err
	}
	if j.Settings.Validation.Reference != "" || j.Settings.Validation.Losses {
		honest, err := verdict.Honest(ctx)
		if err != nil {
			return nil, err
		}
		if v.honest, v.judged, err = j.outOfFold(marginsOf(ctx, honest)); err != nil {
			return nil, err
		}
	}
	null, _, err := j.outOfFold(marginsOf(ctx, verdict.NullFits))
	if err != nil {
		return nil, err
	}
	v.record.Gain, v.record.GainSE, v.record.GainRank = j.gainOverNull(z, null, has)
	if v.evidence, err = j.evidence(verdict, folds, has); err != nil {
		return nil, err
	}
	if j.Settings.Validation.Losses {
		v.evidence.Losses = j.heldOut().RowLosses(v.honest, v.judged)
	}
	v.calibration = j.Settings.Validation.calibrate(&validate.OutOfFold{Z: z, Has: has, Fold: v.evidence.Fold, Y: j.Whole.Target.Y, Weight: j.Data.Target.Weight, Outputs: j.Response.Loss.Outputs()}, j.cut.Len())
	r, calibrated, threshold := j.Response, j.Settings.Validation.Calibrate, v.calibration.threshold
	v.evidence.Prediction = r.Prediction(z, calibrated, threshold)
	v.record.Metrics = r.MeasureAs(z, has, calibrated, threshold)
	v.record.Scores = r.Scores(z, has, calibrated)
	v.record.Agreement, v.record.Shares = agreement(j.Data, v.evidence.Selected)
	return v, nil
}

// gainOverNull compares the out-of-fold loss of each row with that of the null model of its fold. It
// returns the mean gain, its standard error, and the statistic of the signed-rank test, which is
// robust against single rows. The statistic is 0 for classes: without signal, many rows gain a
// little and few lose much, which ranks would take for a signal. Rows are compared because folds are
// too few to distinguish noise from signal. If rows are not independent, as in queries, all results are 0.
func (j *Job) gainOverNull(z, null []float64, has []bool) (mean, se, rank float64) {
	if j.Response.Task.Relative() {
		return 0, 0, 0
	}
	gain, list := j.heldOut().GainOver(z, null, has)
	if j.Response.Task == loss.Regression {
		rank = validate.SignedRank(list)
	}
	mean, se = gain.Mean()
	return mean, se, rank
}
