package validate

import (
	"math"
	"slices"
)

// OutOfFold holds out-of-fold decision values, row after row.
type OutOfFold struct {
	Z       []float64 // decision values of all outputs of each row
	Has     []bool    // whether each row has decision values
	Fold    []int     // fold of each row
	Y       []float64 // class of each row
	Weight  []float64 // weight of each row; nil means 1
	Outputs int
}

// Calibrate calibrates the decision values in place, those of a fold by a calibration of the other
// folds. It returns the calibration of all rows.
func (d *OutOfFold) Calibrate(folds int) *Calibration {
	raw := slices.Clone(d.Z)
	for f := range folds {
		z, y, w := d.some(raw, func(i int) bool { return d.Has[i] && d.Fold[i] != f })
		calibrator(d.Outputs, z, y, w).Apply(d.Z, raw, func(i int) bool { return d.Has[i] && d.Fold[i] == f })
	}
	z, y, w := d.some(raw, func(i int) bool { return d.Has[i] })
	return calibrator(d.Outputs, z, y, w)
}

// Threshold returns the decision value that a rule chooses from those of two classes. It is finite.
func (d *OutOfFold) Threshold(rule func(z, y, w []float64) float64) float64 {
	z, y, w := d.some(d.Z, func(i int) bool { return d.Has[i] })
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

// some returns the decision values of some rows, their classes and weights.
func (d *OutOfFold) some(z []float64, in func(i int) bool) (some, y, w []float64) {
	for i, class := range d.Y {
		if !in(i) {
			continue
		}
		weight := 1.0
		if d.Weight != nil {
			weight = d.Weight[i]
		}
		some = append(some, z[i*d.Outputs:(i+1)*d.Outputs]...)
		y, w = append(y, class), append(w, weight)
	}
	return some, y, w
}

// calibrator fits a calibration for some number of outputs.
func calibrator(outputs int, z, y, w []float64) *Calibration {
	if outputs > 1 {
		return Temperature(z, outputs, y, w)
	}
	return Platt(z, y, w)
}

// Apply writes the calibrated decision values of some rows.
func (c *Calibration) Apply(to, z []float64, in func(i int) bool) {
	outputs := len(c.Intercept)
	for i := range len(z) / outputs {
		if in(i) {
			for k := range outputs {
				to[i*outputs+k] = c.Slope*z[i*outputs+k] + c.Intercept[k]
			}
		}
	}
}
