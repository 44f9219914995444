package objective

import "fsa/prior"

// Each category of a categorical variable fits the noise of its rows: a column of names would fit all of
// it. So the effect of a category is shrunk as if Config.CategoryRows further rows had shown no effect.
// Categories with many rows hardly change, and categories with few rows are shrunk towards zero.

// categories calls f for the coefficient of each category of the remaining categorical variables, with
// its prior in the units of the coefficient.
func (ob *Objective) categories(f func(at int, p prior.Ridge)) {
	if ob.category == nil {
		return
	}
	ob.each(func(v, _, at, lo, hi int) {
		if v < ob.numbers {
			return
		}
		for p := lo; p < hi; p++ {
			f(at+p-lo, ob.categoryPrior(v, p))
		}
	})
}

// categoryPrior returns the prior on the coefficient of a column of categorical variable v.
func (ob *Objective) categoryPrior(v, column int) prior.Ridge {
	return prior.Ridge{Lambda: ob.category[v-ob.numbers] * ob.scale[column] * ob.scale[column] / 2}
}

// categoryStrengths returns the strength of the prior on the categories of each variable in the mean
// loss: the curvature of the given number of further rows of mean weight, divided by the weight of all
// rows. It does not depend on the unit of the weights. Rows without weight do not count.
func (ob *Objective) categoryStrengths(more []float64) []float64 {
	var curved, weight, rows float64
	for _, s := range ob.rows.cut(span{0, len(ob.rows.y)}, 1024) {
		d := make([]float64, s.hi-s.lo)
		weight += ob.loss.Curvature(d, ob.rows.target(s))
		for _, v := range d {
			if curved += v; v > 0 {
				rows++
			}
		}
	}
	if weight == 0 || rows == 0 {
		return nil
	}
	strength := make([]float64, len(more))
	for v, m := range more {
		strength[v] = m * (curved / weight) / rows
	}
	return strength
}
