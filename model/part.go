package model

import (
	"math"

	"fsa/data"
)

// knots returns the positions at which the values of a curve are given.
func (v *variable) knots(bins int) data.Knots {
	if v.Knots != nil {
		return v.Knots
	}
	return data.EvenKnots(v.Low, v.High, bins)
}

// part returns the contribution of a value x of a numeric variable to decision value c. NaN is a
// missing value.
func (v *variable) part(x float64, c int, s *spec) float64 {
	if x != x && v.Missing != nil {
		return v.Missing[c]
	}
	if v.Kind == curve {
		if x != x {
			x = v.Mean
		}
		at := v.Coefficients[c*(s.Bins+1):]
		bin, alpha := 0, 0.0
		if v.Knots != nil {
			bin, alpha = v.Knots.Locate(x)
		} else {
			bin, alpha = data.Knot(data.Place(x, v.Low, v.High), s.Bins)
		}
		return (1-alpha)*at[bin] + alpha*at[bin+1]
	}
	if x != x {
		x = v.Mean
	}
	if v.Kind == steps {
		bin, _ := data.Knot(data.Place(x, v.Low, v.High), s.Bins)
		return v.Coefficients[bin]
	}
	low, high := v.reach()
	x = min(max(x, low), high)
	// The difference of large numbers of opposite sign may overflow; the difference of their halves
	// does not.
	return 2 * v.Coefficients[c] * (x/2 - v.Center/2)
}

// reach returns the range in which a line is not constant.
func (v *variable) reach() (low, high float64) {
	if !(v.Low < v.High) { // written by version 1, or extrapolated without limit
		return -math.MaxFloat64, math.MaxFloat64
	}
	margin := Margin * (v.High/2 - v.Low/2) * 2
	return max(v.Low-margin, -math.MaxFloat64), min(v.High+margin, math.MaxFloat64)
}
