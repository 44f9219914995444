package model

import (
	"math"

	"fsa/data"
	"fsa/loss"
)

// Extreme returns how many numbers of a target are more than ten robust standard deviations from the median. It returns 0 if
// they are more than a twentieth of the rows, because they are then the tail of a distribution, or if there are fewer than
// 20 rows.
func Extreme(t *data.Target) int {
	const far, few, least = 10, 0.05, 20
	middle, deviation := spread(t)
	counts, rows, count := loss.Target{Weight: t.Weight}, 0, 0
	for i, y := range t.Y {
		if counts.WeightOf(i) == 0 {
			continue
		}
		rows++
		if math.Abs(y-middle) > far*deviation {
			count++
		}
	}
	if rows < least || float64(count) > few*float64(rows) {
		return 0
	}
	return count
}
