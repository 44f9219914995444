package contest

import (
	"math"
	"slices"

	"fsa/internal/tuning"
)

// between returns the sizes halfway between k and its neighbours in the list, if there are any. Sizes above the usual largest
// one differ by at least a tenth.
func between(sizes []int, k int) []int {
	at := slices.Index(sizes, k)
	var list []int
	for i := max(at, 1); i <= min(at+1, len(sizes)-1); i++ {
		if low, high := sizes[i-1], sizes[i]; high-low > 1 && (low < tuning.MostSizes || high-low > low/10) {
			list = append(list, (low+high)/2)
		}
	}
	return list
}

// finite reports whether a number is finite.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
