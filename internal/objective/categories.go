package objective

import "fsa/prior"

// Each category of a text variable fits the noise of its rows, and the more categories
// there are, the more noise: a column of names would fit all of it. So what a category
// adds is shrunk as if so many more rows (Config.CategoryRows) said that it adds
// nothing. Categories of many rows hardly notice, those of a few are drawn to zero.

// categories calls f for the coefficient of each category of the living texts, with the
// prior on it: that on what it adds, in the units of the coefficient.
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

// categoryPrior returns the prior on the coefficient of a column of text variable v.
func (ob *Objective) categoryPrior(v, column int) prior.Ridge {
	return prior.Ridge{Lambda: ob.category[v-ob.numbers] * ob.scale[column] * ob.scale[column] / 2}
}

// categoryStrengths returns the strength of the prior on the categories of each variable in
// the mean loss, whatever the unit of the weights: how curved the loss of a row is, over
// the weight of all of them, for so many more rows of the usual weight. Rows that say
// nothing do not count.
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
