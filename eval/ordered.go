package eval

import "math"

// RankedProbability returns the ranked probability score of ordered classes (Epstein 1969): the mean over rows and
// thresholds of the squared difference between the predicted probability of a class up to the threshold and what the
// row is. So a prediction that is one class off costs less than one that is two off. It is 0 at best and 1 at worst;
// for two classes it is [Brier]. Classes and probabilities are those of [LogLossMulti]. It is NaN when there is no
// weight or some y is not a class.
func RankedProbability(p []float64, classes int, y, w []float64) float64 {
	checkMulti("RankedProbability", p, classes, y, w)
	var sum, total float64
	for i := range y {
		c, ok := classOf(y[i], classes)
		if !ok {
			return math.NaN()
		}
		var row, below float64
		for k, share := range p[i*classes : (i+1)*classes-1] {
			below += share
			d := below
			if c <= k {
				d--
			}
			row += d * d
		}
		total += weights(w).at(i)
		sum += weights(w).at(i) * row / float64(classes-1)
	}
	return sum / total
}
