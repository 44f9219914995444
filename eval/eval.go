// Package eval says how good predictions and selections are.
//
// Every measure is a plain function of slices: what was predicted, what is
// true, and a weight for each row, where nil weighs all rows alike. A measure
// that the rows at hand do not define, such as the area under the ROC curve of
// a single class, is NaN: an average over folds or runs then shows that
// something is missing instead of inventing a number. Slices of different
// lengths are a programmer's mistake and panic.
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

// check panics when n rows of truth do not come with as many predictions and
// weights.
func check(measure string, predictions, n int, w weights) {
	if predictions != n {
		panic(fmt.Sprintf("eval: %s of %d predictions for %d rows", measure, predictions, n))
	}
	if w != nil && len(w) != n {
		panic(fmt.Sprintf("eval: %s with %d weights for %d rows", measure, len(w), n))
	}
}
