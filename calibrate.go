package fsa

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"fsa/eval"
	"fsa/loss"
	"fsa/model"
	"fsa/validate"
)

// thresholds is the table of ways to choose the decision value above which the positive
// one of two classes is predicted, by out-of-fold decision values.
var thresholds = []struct {
	name string
	of   func(z, y, w []float64) float64
}{
	{"f1", eval.ThresholdF1},
	{"balanced", eval.ThresholdBalanced},
}

// costs reads cost=FP:FN.
func costs(text string) (fp, fn float64, ok bool) {
	rest, ok := strings.CutPrefix(text, "cost=")
	a, b, both := strings.Cut(rest, ":")
	fp, err := strconv.ParseFloat(a, 64)
	fn, err2 := strconv.ParseFloat(b, 64)
	return fp, fn, ok && both && err == nil && err2 == nil && fp >= 0 && fn >= 0 && fp+fn > 0 && !math.IsInf(fp+fn, 0)
}

// checkThreshold refuses a threshold that nobody knows how to choose.
func checkThreshold(text string) error {
	if _, _, ok := costs(text); ok || text == "" {
		return nil
	}
	var names []string
	for _, t := range thresholds {
		if t.name == text {
			return nil
		}
		names = append(names, t.name)
	}
	return optionError("threshold %q: it must be %s or cost=FP:FN, what a false positive and a false negative cost", text, strings.Join(names, ", "))
}

// checkClasses refuses what is for classes where there are none.
func (o *Options) checkClasses(r *model.Response) error {
	switch {
	case o.Calibrate && r.Task != loss.Classification:
		return optionError("probabilities are calibrated of classes, and this is a %s", r.Task)
	case o.Threshold != "" && (r.Task != loss.Classification || r.Loss.Outputs() > 1):
		return optionError("a threshold is chosen between two classes, and this is a %s with the %s loss", r.Task, r.Name)
	}
	return nil
}

// calibration is what out-of-fold decision values say of how to read those of the model.
type calibration struct {
	*validate.Calibration // nil where they are taken as they are
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

// calibrate calibrates out-of-fold decision values in place, each row by the other folds,
// and returns what is to be made of those of the model.
func (o *Options) calibrate(d *outOfFold, folds int) calibration {
	z, has, fold := d.z, d.has, d.fold
	var c calibration
	if o.Calibrate {
		raw := slices.Clone(z)
		for f := range folds {
			others := d.calibrated(raw, func(i int) bool { return has[i] && fold[i] != f })
			others.apply(z, raw, func(i int) bool { return has[i] && fold[i] == f })
		}
		c.Calibration = d.calibrated(raw, func(i int) bool { return has[i] }).Calibration
	}
	if o.Threshold != "" {
		score, y, w := d.some(z, func(i int) bool { return has[i] })
		c.threshold = chooseThreshold(o.Threshold, score, y, w)
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

// chooseThreshold returns a finite one.
func chooseThreshold(how string, z, y, w []float64) float64 {
	t := math.NaN()
	if fp, fn, ok := costs(how); ok {
		t = eval.ThresholdCost(z, y, w, fp, fn)
	}
	for _, known := range thresholds {
		if known.name == how {
			t = known.of(z, y, w)
		}
	}
	switch {
	case math.IsNaN(t):
		return 0
	case math.IsInf(t, 1):
		return slices.Max(z)
	case math.IsInf(t, -1):
		return slices.Min(z) - 1
	}
	return t
}

// read brings what was learned to what out-of-fold decision values call for.
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
