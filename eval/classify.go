package eval

import (
	"cmp"
	"math"
	"slices"
)

// AUC returns the area under the ROC curve: the probability that a positive row, one with y > 0,
// has a higher score than a negative one, where equal scores count half. Rows are drawn in
// proportion to their weights w; nil means equal weights. It is NaN if a class has no weight or a
// score is NaN.
func AUC(score, y, w []float64) float64 {
	check("AUC", len(score), len(y), w)
	order := make([]int, len(score))
	for i := range order {
		if score[i] != score[i] {
			return math.NaN()
		}
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[a], score[b]) })

	var pos, neg, wins float64
	for first := 0; first < len(order); {
		// All rows with the same score are taken together, so that ties count half in whatever
		// order they were sorted.
		var tiedPos, tiedNeg float64
		last := first
		for ; last < len(order) && score[order[last]] == score[order[first]]; last++ {
			if i := order[last]; y[i] > 0 {
				tiedPos += weights(w).at(i)
			} else {
				tiedNeg += weights(w).at(i)
			}
		}
		wins += tiedPos * (neg + tiedNeg/2)
		pos += tiedPos
		neg += tiedNeg
		first = last
	}
	return wins / (pos * neg)
}

// ErrorRate returns the share of weight on rows whose predicted class is not y. Classes are
// compared as numbers, so both must use the same code: 0 and −1 are two classes. It is NaN if the
// total weight is 0.
func ErrorRate(predicted, y, w []float64) float64 {
	check("ErrorRate", len(predicted), len(y), w)
	var wrong, total float64
	for i := range y {
		total += weights(w).at(i)
		if predicted[i] != y[i] {
			wrong += weights(w).at(i)
		}
	}
	return wrong / total
}

// tiny is the smallest distance of probabilities from 0 and 1 in a log loss, so that one wrong
// prediction with certainty does not make the mean infinite. It is the spacing of float64 at 1, the
// value that scikit-learn uses.
const tiny = 0x1p-52

// surprise returns −log p, with p clipped away from 0 and 1. NaN remains NaN.
func surprise(p float64) float64 {
	return -math.Log(min(max(p, tiny), 1-tiny))
}

// LogLoss returns the mean of −log of the probability of the true class, where p[i] is the
// probability that row i is positive, and rows with y > 0 are positive. Probabilities are clipped
// at a distance of 2⁻⁵² from 0 and 1. It is NaN if the total weight is 0.
func LogLoss(p, y, w []float64) float64 {
	check("LogLoss", len(p), len(y), w)
	var sum, total float64
	for i := range y {
		given := p[i]
		if y[i] <= 0 {
			given = 1 - given
		}
		total += weights(w).at(i)
		sum += weights(w).at(i) * surprise(given)
	}
	return sum / total
}

// LogLossMulti returns the mean of −log of the probability of the true class of several. Class y[i]
// is 0, 1, …, classes−1, and p[i*classes+c] is the probability that row i is of class c.
// Probabilities are clipped at a distance of 2⁻⁵² from 0 and 1 and are not rescaled to a sum of 1.
// It is NaN if the total weight is 0 or some y is not a class.
func LogLossMulti(p []float64, classes int, y, w []float64) float64 {
	checkMulti("LogLossMulti", p, classes, y, w)
	var sum, total float64
	for i := range y {
		c, ok := classOf(y[i], classes)
		if !ok {
			return math.NaN()
		}
		total += weights(w).at(i)
		sum += weights(w).at(i) * surprise(p[i*classes+c])
	}
	return sum / total
}
