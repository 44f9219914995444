package validate

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the confidence level of the intervals of [Paired].
const Confidence = 0.95

// Interval is a mean with an interval.
type Interval struct {
	Mean, Low, High float64
	Units           int // number of independent units that were averaged
}

// CrossValidated widens an interval of out-of-fold differences for models that were trained on the other folds: their
// training rows overlap, so their errors vary together (Nadeau and Bengio 2003). The variance grows by the ratio of the
// test rows of all folds to the training rows of one.
func (i Interval) CrossValidated(folds int) Interval {
	by := math.Sqrt(1 + float64(folds)/float64(max(folds-1, 1)))
	i.Low, i.High = i.Mean-by*(i.Mean-i.Low), i.Mean+by*(i.High-i.Mean)
	return i
}

// Paired returns the mean of the differences between two losses of the same rows, with a t interval of [Confidence].
// weight is the weight of each difference; nil means 1 for all. unit numbers the unit of each difference, such as a patient
// with several rows; nil means that every difference is a unit of its own. The units, not the rows, are independent, so the
// standard error is that of the mean of their sums (cluster-robust). The interval is infinite for fewer than two units.
func Paired(difference, weight []float64, unit []int) Interval {
	var mean, total float64
	of := func(i int) float64 {
		if weight == nil {
			return 1
		}
		return weight[i]
	}
	for i, d := range difference {
		if w := of(i); w > 0 {
			total += w
			mean += w / total * (d - mean)
		}
	}
	place := map[int]int{}
	var sums []float64
	for i, d := range difference {
		w := of(i)
		if w == 0 {
			continue
		}
		label := i
		if unit != nil {
			label = unit[i]
		}
		at, known := place[label]
		if !known {
			at, sums = len(sums), append(sums, 0)
			place[label] = at
		}
		sums[at] += w * (d - mean)
	}
	n := float64(len(sums))
	if n < 2 {
		return Interval{mean, math.Inf(-1), math.Inf(1), len(sums)}
	}
	var squares float64
	for _, s := range sums {
		squares += s * s
	}
	reach := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1+Confidence)/2) * math.Sqrt(squares*n/(n-1)) / total
	return Interval{mean, mean - reach, mean + reach, len(sums)}
}
