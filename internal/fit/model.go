package fit

import (
	"context"

	"fsa/data"
	"fsa/internal/search"
	"fsa/model"
)

// model converts a fit of a sample to the units of the input.
func (j *Job) model(ctx context.Context, d *data.Dataset, fit *search.Fit, c *chosen, status string) (*model.Model, error) {
	l := j.learned(d, fit, c.size, status)
	if c.validated != nil {
		l.Validation = c.validated.record
	}
	l.Training.Criterion, l.Discoveries = c.criterion, c.found
	var err error
	if l.Decision, err = fit.Decisions(ctx); err != nil {
		return nil, err
	}
	if l.Cuts, err = fit.Cuts(ctx); err != nil {
		return nil, err
	}
	if c.validated != nil {
		c.validated.calibration.read(&l)
	}
	return model.FromDesign(d, l)
}

// learned returns the result of a fit at a size, without its decisions.
func (j *Job) learned(d *data.Dataset, fit *search.Fit, size int, status string) model.Learned {
	s, by := fit.Sample(), &j.Settings.Training
	l := model.Learned{Response: j.Response, Design: s.Design, Intercept: make([]float64, s.Loss.Outputs()), Training: model.NewTraining(d, len(fit.Groups)), Extrapolate: by.Extrapolate}
	t := &l.Training
	if l.OffsetModel = j.Settings.Start; l.OffsetModel != nil {
		given := *d
		given.Target = j.given
		t.Offset = model.NewTraining(&given, 0).Offset
	}
	t.Epochs, t.Passes, t.Eta, t.Status = s.Meter.Epochs, s.Meter.Passes(), fit.Eta(), status
	t.Scale, t.Storage, t.Ridge, t.Adaptive, t.Guarded = by.Design.Scale, by.Design.Storage, fit.Ridge, fit.Adaptive, fit.Guarded
	t.Constraints, t.Costs = by.Constraints, j.paid(fit, size)
	copy(l.Intercept, fit.Intercept())
	for _, v := range fit.Variables() {
		l.Variables = append(l.Variables, model.Coefficients{Variable: v.Number, First: v.First, Values: v.Values})
	}
	return l
}
