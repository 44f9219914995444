package eval

import "math"

// NullLogLoss returns the [LogLoss] of the null model, which predicts the share of weight that is
// positive for every row. A model that cannot distinguish rows does no better. It is NaN if the
// total weight is 0.
func NullLogLoss(y, w []float64) float64 {
	check("NullLogLoss", len(y), len(y), w)
	class := make([]float64, len(y))
	for i := range y {
		if y[i] > 0 {
			class[i] = 1
		}
	}
	return NullLogLossMulti(2, class, w)
}

// NullLogLossMulti returns the [LogLossMulti] of the null model, which predicts the shares of
// weight of the classes for every row. It is NaN if the total weight is 0 or some y is not a class.
func NullLogLossMulti(classes int, y, w []float64) float64 {
	check("NullLogLossMulti", len(y), len(y), w)
	of := make([]float64, classes)
	var total float64
	for i := range y {
		c, ok := classOf(y[i], classes)
		if !ok {
			return math.NaN()
		}
		total += weights(w).at(i)
		of[c] += weights(w).at(i)
	}
	var sum float64
	for _, weight := range of {
		if weight > 0 {
			sum += weight * surprise(weight/total)
		}
	}
	return sum / total
}
