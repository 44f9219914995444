package model

import "fsa/data"

// knots returns where the values of a curve lie.
func (v *variable) knots(bins int) data.Knots {
	if v.Knots != nil {
		return v.Knots
	}
	return data.EvenKnots(v.Low, v.High, bins)
}

// part returns what a value x of a number variable, NaN if it is missing, adds
// to decision value c.
func (v *variable) part(x float64, c int, s *spec) float64 {
	if v.Kind == curve {
		if x != x && v.Missing != nil {
			return v.Missing[c]
		}
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
	if v.Low < v.High {
		margin := Margin * (v.High - v.Low)
		x = min(max(x, v.Low-margin), v.High+margin)
	}
	// The difference of large numbers of opposite sign may overflow; the
	// halves do not.
	return 2 * v.Coefficients[c] * (x/2 - v.Center/2)
}
