package fit

import (
	"fsa/eval"
	"fsa/model"
	"fsa/validate"
)

// calibration converts the decision values of a model. It is fitted on out-of-fold decision values.
type calibration struct {
	*validate.Calibration // nil if they stay the same
	threshold             float64
}

// calibrate calibrates out-of-fold decision values in place. It returns the calibration and the
// threshold for the model, which is fitted on all rows.
func (v *Validation) calibrate(d *validate.OutOfFold, folds int) *calibration {
	c := &calibration{}
	if v.Calibrate {
		c.Calibration = d.Calibrate(folds)
	}
	if rule, ok := eval.ThresholdRule(v.Threshold); ok {
		c.threshold = d.Threshold(rule)
	}
	return c
}

// read applies the calibration to a fitted model.
func (c *calibration) read(l *model.Learned) {
	l.Threshold = c.threshold
	if c.Calibration == nil {
		return
	}
	l.Calibrated = true
	c.Apply(l.Decision, l.Decision, func(int) bool { return true })
	c.Apply(l.Intercept, l.Intercept, func(int) bool { return true })
	for i := range l.Variables {
		for k := range l.Variables[i].Values {
			l.Variables[i].Values[k] *= c.Slope
		}
	}
}
