package eval

import "math"

// Brier returns the mean squared difference between p[i], the probability that row i is positive,
// and the outcome, which is 1 if y > 0 and 0 otherwise (Brier 1950, in the form for two classes,
// whose worst value is 1). It is NaN if the total weight is 0.
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

// BrierMulti returns the mean over rows of the squared differences between the probabilities of all
// classes and the outcome, summed over classes (Brier 1950, whose worst value is 2; for two classes
// it is twice [Brier]). Classes and probabilities are those of [LogLossMulti]. It is NaN if the
// total weight is 0 or some y is not a class.
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
