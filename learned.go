package fsa

import (
	"context"

	"fsa/model"
)

// model brings a selection back to the units of the input.
func (j *Job) model(ctx context.Context, s *selection, v *validated, status string) (*model.Model, error) {
	l := j.learned(s, status)
	if v != nil {
		l.Validation = v.record
	}
	var err error
	if l.Decision, err = s.ob.Decisions(ctx, s.res.Beta); err != nil {
		return nil, err
	}
	j.calibration.read(&l)
	return model.FromDesign(j.data, l)
}

// learned returns what was learned, without its decisions.
func (j *Job) learned(s *selection, status string) model.Learned {
	outputs := j.response.Loss.Outputs()
	l := model.Learned{Response: j.response, Design: j.design, Intercept: make([]float64, outputs), Training: model.NewTraining(j.data, j.plan.K)}
	t := &l.Training
	t.Epochs, t.Passes, t.Eta, t.Status = j.meter.epochs, j.meter.passes(), s.res.Trace[len(s.res.Trace)-1].Eta, status
	t.Scale, t.Storage, t.Ridge, t.Adaptive, t.Guarded = j.options.Scale, j.options.Storage, s.ridge, s.adaptive, s.guarded
	t.Criterion = j.criterion
	copy(l.Intercept, s.res.Free())
	for i, g := range s.chosen {
		beta := s.res.Group(i)
		width := len(beta) / outputs // coefficients of the group in each output
		at := 0
		for _, v := range j.groups.Of(g) {
			lo, hi := s.ob.First(v)
			n := hi - lo
			values := make([]float64, 0, outputs*n)
			for c := range outputs {
				values = append(values, beta[c*width+at:c*width+at+n]...)
			}
			at += n
			l.Variables = append(l.Variables, model.Coefficients{Variable: v, First: lo, Values: values})
		}
	}
	return l
}
