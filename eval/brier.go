package eval

import "math"

// Brier returns the mean squared difference between the probability p[i] that
// row i is positive and what it is, 1 where y > 0 and 0 elsewhere (Brier 1950,
// in the form for two classes, whose worst value is 1). It is NaN when there is
// no weight.
func Brier(p, y, w []float64) float64 {
	check("Brier", len(p), len(y), w)
	var sum, total float64
	for i := range y {
		d := p[i]
		if y[i] > 0 {
			d--
		}
		total += weights(w).at(i)
		sum += weights(w).at(i) * d * d
	}
	return sum / total
}

// BrierMulti returns the mean over rows of the squared differences between the
// probabilities of all classes and what the row is, summed over classes (Brier
// 1950, whose worst value is 2; of two classes it is twice [Brier]). Classes
// and probabilities are those of [LogLossMulti]. It is NaN when there is no
// weight or some y is not a class.
func BrierMulti(p []float64, classes int, y, w []float64) float64 {
	checkMulti("BrierMulti", p, classes, y, w)
	var sum, total float64
	for i := range y {
		c, ok := classOf(y[i], classes)
		if !ok {
			return math.NaN()
		}
		var row float64
		for k, d := range p[i*classes : (i+1)*classes] {
			if k == c {
				d--
			}
			row += d * d
		}
		total += weights(w).at(i)
		sum += weights(w).at(i) * row
	}
	return sum / total
}
