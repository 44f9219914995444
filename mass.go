package fsa

import "math"

// mass returns how many rows there are, as rules count them: those that have a weight,
// or the sum of the weights in units of their greatest common divisor where all are whole
// numbers. A row of weight 2 among others of weight 1 stands for two equal ones, and must
// lead to the same model; otherwise only the proportions of weights count.
func mass(weight []float64, rows int) int {
	if weight == nil {
		return rows
	}
	sum, unit, n, whole := 0.0, 0.0, 0, true
	for _, w := range weight {
		if w > 0 {
			n++
		}
		if whole = whole && w == math.Trunc(w); whole {
			sum += w
			for unit, w = w, unit; w > 0; {
				unit, w = w, math.Mod(unit, w)
			}
		}
	}
	if whole && sum > 0 && sum/unit < math.MaxInt32 {
		return int(sum / unit)
	}
	return n
}
