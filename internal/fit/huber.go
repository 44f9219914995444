package fit

import (
	"cmp"
	"context"

	"fsa/validate"
)

// huber holds a contest of the huber loss on the folds of a job that has held one of the squared loss. The job becomes that
// of the huber loss if the rule of [validate.Simplest] prefers its held-out predictions.
func (j *Job) huber(ctx context.Context) error {
	s, d := j.Settings, *j.Data
	s.Response.Loss, s.Request.Loss, d.Target = "huber", true, j.given
	other, err := Prepare(ctx, &d, s)
	if err != nil {
		return err
	}
	other.Close()
	other.cut, other.Whole.Device, other.Whole.Journal = j.cut, j.Whole.Device, j.Whole.Journal.Part("huber", 0)
	measure := cmp.Or(s.Validation.Measure, usualMeasure(j.Response))
	squared, null, err := j.foldErrors(ctx, measure)
	if err != nil {
		return err
	}
	huber, _, err := other.foldErrors(ctx, measure)
	if err != nil {
		return err
	}
	read := &j.Whole.Meter.Meter
	if validate.Simplest([][]float64{squared, huber}, null, j.cut.Repeats()) == 1 {
		other.Whole.Meter.Cells += read.Cells
		*j = *other
	} else {
		read.Cells += other.Whole.Meter.Cells
	}
	return nil
}
