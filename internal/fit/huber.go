package fit

import (
	"cmp"
	"context"

	"fsa/validate"
)

// huber lets the recipes of the plan also learn by the huber loss, on the same folds. The job goes on with this loss if the
// rule of [validate.Simplest] prefers the held-out predictions of its winner.
func (j *Job) huber(ctx context.Context) error {
	other, d := &Job{Plan: j.Plan, Settings: j.Settings, cut: j.cut}, *j.Data
	d.Target = j.given
	if err := other.learnBy(ctx, &d, "huber"); err != nil {
		return err
	}
	other.Whole.Spending, other.Whole.Device, other.Whole.Journal = j.Whole.Spending, j.Whole.Device, j.Whole.Journal.Part("huber", 0)
	measure := cmp.Or(j.Settings.Validation.Measure, usualMeasure(j.Response))
	squared, null, err := j.foldErrors(ctx, measure)
	if err != nil {
		return err
	}
	if other.validated, err = other.contest(ctx); err != nil {
		return err
	}
	huber, _, err := other.foldErrors(ctx, measure)
	if err != nil {
		return err
	}
	cells := j.Whole.Meter.Cells + other.Whole.Meter.Cells
	if validate.Simplest([][]float64{squared, huber}, null, j.cut.Repeats()) == 1 {
		j.Set, j.measurer, j.validated = other.Set, other.measurer, other.validated
	}
	j.Whole.Meter.Cells = cells
	return nil
}
