package fit

import (
	"cmp"
	"context"

	"fsa/data"
	"fsa/internal/plan"
	"fsa/internal/training"
	"fsa/model"
)

// Prepare checks the settings against a dataset and plans its fit.
func Prepare(ctx context.Context, d *data.Dataset, s Settings) (*Job, error) {
	if err := s.checkSizes(d); err != nil {
		return nil, err
	}
	s = s.forData(d)
	d = s.Training.Ordered(d)
	j := &Job{Settings: s, given: d.Target}
	if err := j.learnBy(ctx, d, s.Response.Loss); err != nil {
		return nil, err
	}
	d, r := j.Data, j.Response
	if err := cmp.Or(s.checkSet(j.Set), s.checkCapacity(j.Set), s.checkAffordable(j.Set)); err != nil {
		return nil, err
	}
	facts := plan.NewFacts(j.Whole, d, r.Name)
	facts.Bends = facts.Bends && s.Training.Design.Storage == data.StorageFloat32
	if r.Name == "squared" && j.Spread() == nil {
		facts.Extreme = model.Extreme(j.given)
	}
	j.Plan = plan.New(s.Request, facts)
	if of := j.Whole.Spending; of != nil {
		of.Budgets, of.Most = j.Plan.Budgets, facts.MostPriced()
	}
	if err := cmp.Or(s.checkRivals(j.Set, j.Plan), s.checkConfidence(j.Set, j.Plan)); err != nil {
		return nil, err
	}
	j.Whole.Owned = s.Run.Discard && !j.Plan.ReadsAgain()
	var err error
	if j.Whole.Device, err = s.Run.device(j.Set, j.Plan); err != nil {
		return nil, err
	}
	return j, nil
}

// learnBy sets the training data of a job: a dataset with its target as a loss takes it.
func (j *Job) learnBy(ctx context.Context, d *data.Dataset, loss string) error {
	s := &j.Settings
	o := s.Response
	o.Loss = loss
	r, err := model.NewResponse(d, o)
	if err == nil && s.Start != nil {
		if d, err = s.Start.Start(ctx, d, r); err == nil {
			r, err = model.NewResponse(d, o)
		}
	}
	if err != nil {
		return err
	}
	if j.measurer, err = r.Measurer(s.Validation.Measure); err != nil {
		return err
	}
	if err := s.Validation.checkClasses(r); err != nil {
		return err
	}
	j.Set, err = training.New(ctx, d, r, s.Training)
	return err
}
