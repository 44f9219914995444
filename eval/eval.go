// Package eval measures the quality of predictions and selections.
//
// Every measure is a function of slices: predictions, true values, and a weight for each row, where
// nil means equal weights. A measure that is not defined for the given rows, such as the area under
// the ROC curve of a single class, is NaN. An average over folds or runs that contains a NaN is
// also NaN. Slices of different lengths cause a panic.
package eval

import "fmt"

// weights is one weight per row; nil is the same weight for all.
type weights []float64

func (w weights) at(i int) float64 {
	if w == nil {
		return 1
	}
	return w[i]
}

// check panics unless there are n predictions and weights for n rows.
func check(measure string, predictions, n int, w weights) {
	if predictions != n {
		panic(fmt.Sprintf("eval: %s of %d predictions for %d rows", measure, predictions, n))
	}
	if w != nil && len(w) != n {
		panic(fmt.Sprintf("eval: %s with %d weights for %d rows", measure, len(w), n))
	}
}

// checkMulti is [check] for probabilities p[i*classes+c] of several classes.
func checkMulti(measure string, p []float64, classes int, y []float64, w weights) {
	if classes < 1 || len(p)%classes != 0 {
		panic("eval: " + measure + " of probabilities that cannot be divided into rows of this many classes")
	}
	check(measure, len(p)/classes, len(y), w)
}

// classOf returns the class with number y, if y is 0, 1, …, classes−1.
func classOf(y float64, classes int) (c int, ok bool) {
	c = int(y)
	return c, float64(c) == y && c >= 0 && c < classes
}

// bounds returns the first row of query q, and the row after its last; n is the number of rows.
func bounds(measure string, query []int, q, n int) (from, to int) {
	from, to = query[q], query[q+1]
	if from < 0 || from > to || to > n {
		panic(fmt.Sprintf("eval: %s of query %d with rows %d to %d of %d", measure, q, from, to, n))
	}
	return from, to
}
