package contest

import (
	"math"
	"slices"
)

// between returns the sizes between one of the list and its neighbours.
func between(sizes []int, k int) []int {
	at := slices.Index(sizes, k)
	var list []int
	for s := sizes[max(at-1, 0)]; s <= sizes[min(at+1, len(sizes)-1)]; s++ {
		if !slices.Contains(sizes, s) {
			list = append(list, s)
		}
	}
	return list
}

// finite reports whether a number is.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
