package model

import (
	"math"
	"slices"
)

// finite reports whether all numbers are finite.
func finite(v ...float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// norm returns ‖v‖₂.
func norm(v []float64) float64 {
	if len(v) == 1 {
		return math.Abs(v[0])
	}
	var sum float64
	for _, x := range v {
		sum += x * x
	}
	return math.Sqrt(sum)
}

// ascend reports whether each number is larger than the one before it.
func ascend(x []float64) bool {
	for i := 1; i < len(x); i++ {
		if !(x[i-1] < x[i]) {
			return false
		}
	}
	return true
}
