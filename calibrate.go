package fsa

import (
	"strings"

	"fsa/eval"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// checkThreshold refuses an unknown way to choose the threshold.
func checkThreshold(text string) error {
	if _, ok := eval.ThresholdRule(text); ok || text == "" {
		return nil
	}
	return optionError("threshold %q: it must be %s or cost=FP:FN, the costs of a false positive and a false negative", text, strings.Join(eval.ThresholdNames(), ", "))
}

// checkClasses refuses options for classes if the target has none.
func (v *Validation) checkClasses(r *model.Response) error {
	switch {
	case (v.Calibrate || v.Threshold != "") && r.Target.Offset != nil:
		return optionError("calibration and thresholds do not support an offset: leave one of them out")
	case v.Calibrate && r.Task != loss.Classification:
		return optionError("calibration is for classifications, and this is a %s", r.Task)
	case v.Calibrate && r.Kind.Ordered:
		return optionError("calibration is for losses that learn each class, and the probabilities of the %s loss share thresholds: leave it out, or give --loss multinomial", r.Name)
	case v.Threshold != "" && (r.Task != loss.Classification || r.Loss.Outputs() > 1):
		return optionError("a threshold is for two classes, and this is a %s with the %s loss", r.Task, r.Name)
	}
	return nil
}

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
