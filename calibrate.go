package fsa

import (
	"math"
	"slices"
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
	case v.Threshold != "" && (r.Task != loss.Classification || r.Loss.Outputs() > 1):
		return optionError("a threshold is for two classes, and this is a %s with the %s loss", r.Task, r.Name)
	}
	return nil
}

// calibration converts the decision values of a model, as out-of-fold decision values suggest.
type calibration struct {
	*validate.Calibration // nil if they stay the same
	threshold             float64
}

// outOfFold are out-of-fold decision values.
type outOfFold struct {
	z         []float64 // row after row
	has       []bool    // which rows have one
	fold      []int     // of each row
	y, weight []float64
	outputs   int
}

// calibrate calibrates out-of-fold decision values in place, those of a fold by the other folds. It
// returns the calibration for the model, which is fitted on all rows.
func (v *Validation) calibrate(d *outOfFold, folds int) calibration {
	z, has, fold := d.z, d.has, d.fold
	var c calibration
	if v.Calibrate {
		raw := slices.Clone(z)
		for f := range folds {
			others := d.calibrated(raw, func(i int) bool { return has[i] && fold[i] != f })
			others.apply(z, raw, func(i int) bool { return has[i] && fold[i] == f })
		}
		c.Calibration = d.calibrated(raw, func(i int) bool { return has[i] }).Calibration
	}
	if v.Threshold != "" {
		score, y, w := d.some(z, func(i int) bool { return has[i] })
		c.threshold = chooseThreshold(v.Threshold, score, y, w)
	}
	return c
}

// calibrated fits a calibration on some rows.
func (d *outOfFold) calibrated(z []float64, in func(i int) bool) *calibration {
	some, y, w := d.some(z, in)
	if classes := d.outputs; classes > 1 {
		return &calibration{Calibration: validate.Temperature(some, classes, y, w)}
	}
	return &calibration{Calibration: validate.Platt(some, y, w)}
}

// some returns the decision values of some rows, their classes and weights.
func (d *outOfFold) some(z []float64, in func(i int) bool) (some, y, w []float64) {
	outputs := d.outputs
	plain := loss.Target{Weight: d.weight}
	for i, class := range d.y {
		if in(i) {
			some = append(some, z[i*outputs:(i+1)*outputs]...)
			y, w = append(y, class), append(w, plain.WeightOf(i))
		}
	}
	return some, y, w
}

// apply writes calibrated decision values of some rows, whose link gives probabilities.
func (c *calibration) apply(to, z []float64, in func(i int) bool) {
	outputs := len(c.Intercept)
	for i := range len(z) / outputs {
		if in(i) {
			for k := range outputs {
				to[i*outputs+k] = c.Slope*z[i*outputs+k] + c.Intercept[k]
			}
		}
	}
}

// chooseThreshold returns a finite threshold.
func chooseThreshold(how string, z, y, w []float64) float64 {
	rule, _ := eval.ThresholdRule(how)
	switch t := rule(z, y, w); {
	case math.IsNaN(t):
		return 0
	case math.IsInf(t, 1):
		return slices.Max(z)
	case math.IsInf(t, -1):
		return slices.Min(z) - 1
	default:
		return t
	}
}

// read applies the calibration to a fitted model.
func (c *calibration) read(l *model.Learned) {
	if c == nil {
		return
	}
	l.Threshold = c.threshold
	if c.Calibration == nil {
		return
	}
	l.Calibrated = true
	c.apply(l.Decision, l.Decision, func(int) bool { return true })
	c.apply(l.Intercept, l.Intercept, func(int) bool { return true })
	for i := range l.Variables {
		for k := range l.Variables[i].Values {
			l.Variables[i].Values[k] *= c.Slope
		}
	}
}
