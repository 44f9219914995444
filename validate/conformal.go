package validate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Conformal prediction turns the errors of out-of-fold predictions into intervals or sets for new
// rows. It makes no assumption about the method or the errors, except that rows are exchangeable.
// Weights count rows: a weight of 2 is the row twice.

// rank returns the weight of scores that a bound must cover so that a new row is covered with
// probability coverage; total is the weight without the new row, which adds 1.
func rank(coverage, total float64) float64 {
	if !(coverage > 0 && coverage < 1) {
		panic(fmt.Sprintf("validate: a coverage of %v", coverage))
	}
	return coverage * (total + 1) * (1 - 1e-12) // a product that is an integer may have been rounded up
}

// Quantile returns the conformal quantile: the smallest score that a new row does not exceed
// with probability coverage, given the scores of similar rows. It is the ⌈coverage·(n+1)⌉th
// smallest of n (Vovk et al. 2005), +Inf if there are too few rows, and NaN if a score is NaN.
//
// The simplest interval is the prediction plus and minus this quantile of the absolute
// out-of-fold residuals. Its coverage is right if the models of the folds are similar to the
// model of all rows; [CVPlus] does not need that.
func Quantile(score, w []float64, coverage float64) float64 {
	s := newSorted(score, w)
	if len(s.value) > 0 && math.IsNaN(s.value[0]) {
		return math.NaN()
	}
	need := rank(coverage, s.total())
	for i, c := range s.cumulative {
		if c >= need {
			return s.value[i]
		}
	}
	return math.Inf(1)
}

// sorted holds values in ascending order, NaN first, and the cumulative weight at each value.
type sorted struct {
	value, cumulative []float64
}

func newSorted(value, w []float64) (s sorted) {
	if w != nil && len(w) != len(value) {
		panic(fmt.Sprintf("validate: %d weights for %d rows", len(w), len(value)))
	}
	order := make([]int, len(value))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(value[a], value[b]) })
	var sum float64
	for _, i := range order {
		if w == nil {
			sum++
		} else {
			sum += w[i]
		}
		s.value, s.cumulative = append(s.value, value[i]), append(s.cumulative, sum)
	}
	return s
}

func (s sorted) total() float64 {
	if len(s.cumulative) == 0 {
		return 0
	}
	return s.cumulative[len(s.cumulative)-1]
}

// CVPlus computes prediction intervals from the models of the folds and their residuals (CV+
// of Barber, Candès, Ramdas and Tibshirani 2021; jackknife+ if each row is a fold). An
// interval contains a new target with a probability of about coverage. For any method the
// probability is at least 2·coverage − 1, minus a term that vanishes as the number of rows
// grows.
type CVPlus struct {
	residuals []sorted // residuals of each fold
	total     float64
}

// NewCVPlus takes the absolute out-of-fold residual of each row and the fold, counted from 0, whose model predicted it.
func NewCVPlus(residual []float64, fold []int, w []float64) *CVPlus {
	if len(fold) != len(residual) || w != nil && len(w) != len(residual) {
		panic(fmt.Sprintf("validate: %d residuals of %d rows with %d weights", len(residual), len(fold), len(w)))
	}
	value, weight := [][]float64{}, [][]float64{}
	for i, r := range residual {
		for len(value) <= fold[i] {
			value, weight = append(value, nil), append(weight, nil)
		}
		value[fold[i]] = append(value[fold[i]], math.Abs(r))
		if w != nil {
			weight[fold[i]] = append(weight[fold[i]], w[i])
		}
	}
	c := &CVPlus{}
	for f := range value {
		c.residuals = append(c.residuals, newSorted(value[f], weight[f]))
		c.total += c.residuals[f].total()
	}
	return c
}

// Interval returns the interval of a row from the predictions of the models of all folds. It
// is infinite if there are too few rows, and NaN if a prediction or residual is NaN.
func (c *CVPlus) Interval(prediction []float64, coverage float64) (low, high float64) {
	if len(prediction) != len(c.residuals) {
		panic(fmt.Sprintf("validate: predictions of %d models for %d folds", len(prediction), len(c.residuals)))
	}
	need := rank(coverage, c.total)
	for f, s := range c.residuals {
		if math.IsNaN(prediction[f]) || len(s.value) > 0 && math.IsNaN(s.value[0]) {
			return math.NaN(), math.NaN()
		}
	}
	return -c.smallest(prediction, -1, need), c.smallest(prediction, 1, need)
}

// smallest returns the smallest v such that the rows with sign·prediction + residual ≤ v have the required weight. It
// bisects the floating-point numbers between −Inf and +Inf, which needs no list of all sums.
func (c *CVPlus) smallest(prediction []float64, sign, need float64) float64 {
	if need > c.total {
		return math.Inf(1)
	}
	low, high := orderOf(math.Inf(-1)), orderOf(math.Inf(1))
	for low < high {
		mid := low + (high-low)/2
		v := floatOf(mid)
		var weight float64
		for f, s := range c.residuals {
			n := sort.Search(len(s.value), func(i int) bool { return sign*prediction[f]+s.value[i] > v })
			if n > 0 {
				weight += s.cumulative[n-1]
			}
		}
		if weight >= need {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return floatOf(low)
}

// orderOf numbers the floating-point numbers in ascending order; floatOf is its
// inverse.
func orderOf(x float64) uint64 {
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

func floatOf(n uint64) float64 {
	if n>>63 == 1 {
		return math.Float64frombits(n &^ (1 << 63))
	}
	return math.Float64frombits(^n)
}
