package fit

import (
	"cmp"
	"context"

	"fsa/validate"
)

// chooseLoss compares the squared and the huber loss by the held-out predictions of straight lines, on the folds of the
// contest. The job goes on with the huber loss if the rule of [validate.Simplest] prefers it.
func (j *Job) chooseLoss(ctx context.Context) error {
	var err error
	if j.cut, err = j.Folds(ctx); err != nil {
		return nil // the contest says so
	}
	squared, d := j.straight(), *j.Data
	set, whole := *j.Set, *j.Whole
	set.Whole, squared.Set, squared.measurer = &whole, &set, j.measurer
	whole.Journal = j.Whole.Journal.Part("lines", 0)
	huber := j.straight()
	d.Target = j.given
	if err := huber.learnBy(ctx, &d, "huber"); err != nil {
		return err
	}
	huber.Whole.Spending, huber.Whole.Device, huber.Whole.Journal = j.Whole.Spending, j.Whole.Device, j.Whole.Journal.Part("lines", 1)
	measure := cmp.Or(j.Settings.Validation.Measure, usualMeasure(j.Response))
	var errors [][]float64
	var null []float64
	for _, of := range []*Job{squared, huber} {
		list, simplest, err := of.foldErrors(ctx, measure)
		if err != nil {
			return err
		}
		if null == nil {
			null = simplest
		}
		errors = append(errors, list)
	}
	cells := squared.Whole.Meter.Cells + huber.Whole.Meter.Cells
	if validate.Simplest(errors, null, j.cut.Repeats()) == 1 {
		huber.Whole.Journal = j.Whole.Journal.Part("huber", 0)
		j.Set, j.measurer = huber.Set, huber.measurer
	}
	j.Whole.Meter.Cells = cells
	return nil
}

// straight returns a job without data that compares the sizes of straight lines.
func (j *Job) straight() *Job {
	to := &Job{Plan: j.Plan.Straight(), Settings: j.Settings, given: j.given, cut: j.cut}
	to.Settings.Run.Step, to.Settings.Run.Count, to.Settings.Run.Curve = nil, nil, nil
	to.Settings.Validation.Rivals, to.Settings.Validation.Reference = false, ""
	return to
}
