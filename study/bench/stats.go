package bench

import (
	"math"
	"slices"
)

// median returns the median of some numbers.
func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// medianRatio returns the median of the ratios of numbers that were measured together.
func medianRatio(of, over []float64) float64 {
	ratios := make([]float64, len(of))
	for i := range of {
		ratios[i] = of[i] / over[i]
	}
	return median(ratios)
}

// spread returns the range of some numbers divided by their median.
func spread(x []float64) float64 {
	if len(x) == 0 || median(x) == 0 {
		return 0
	}
	return (slices.Max(x) - slices.Min(x)) / median(x)
}

// exponent returns the power of x to which t is most nearly proportional: the
// slope of the least-squares line through their logarithms.
func exponent(x, t []float64) float64 {
	var mx, mt float64
	for i := range x {
		mx += math.Log(x[i]) / float64(len(x))
		mt += math.Log(t[i]) / float64(len(x))
	}
	var up, down float64
	for i := range x {
		d := math.Log(x[i]) - mx
		up += d * (math.Log(t[i]) - mt)
		down += d * d
	}
	return up / down
}

// decade returns whole numbers from lo to ten times lo in equal ratios.
func decade(lo, points int) []int {
	x := make([]int, points)
	for i := range x {
		x[i] = int(math.Round(float64(lo) * math.Pow(10, float64(i)/float64(points-1))))
	}
	return x
}
