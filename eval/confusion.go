package eval

import (
	"maps"
	"math"
	"slices"
)

// Confusion returns the weight of the rows of each true class (first index) that were predicted to
// be of each class (second index). Classes are 0, 1, …, classes−1. It is nil if some y or
// prediction is not a class.
func Confusion(predicted []float64, classes int, y, w []float64) [][]float64 {
	check("Confusion", len(predicted), len(y), w)
	table := make([][]float64, classes)
	for c := range table {
		table[c] = make([]float64, classes)
	}
	for i := range y {
		c, known := classOf(y[i], classes)
		to, ok := classOf(predicted[i], classes)
		if !known || !ok {
			return nil
		}
		table[c][to] += weights(w).at(i)
	}
	return table
}

// BalancedError returns the mean of the [ErrorRate] of each class, so that rare classes count as
// much as common ones. It is ½ for random predictions of two classes. A class without weight is
// left out. It is NaN if no class is left or some y is NaN.
func BalancedError(predicted, y, w []float64) float64 {
	check("BalancedError", len(predicted), len(y), w)
	type share struct{ wrong, total float64 }
	of := map[float64]share{}
	for i := range y {
		if math.IsNaN(y[i]) {
			return math.NaN()
		}
		s := of[y[i]]
		s.total += weights(w).at(i)
		if predicted[i] != y[i] {
			s.wrong += weights(w).at(i)
		}
		of[y[i]] = s
	}
	var sum, classes float64
	for _, c := range slices.Sorted(maps.Keys(of)) {
		if s := of[c]; s.total > 0 {
			sum += s.wrong / s.total
			classes++
		}
	}
	return sum / classes
}
