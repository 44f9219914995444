package fsa

import "fsa/prior"

// Each level of a text fits the noise of its rows, and the more levels there are,
// the more noise: a column of names would fit all of it. So what a level adds counts
// as if so many more rows said that it adds nothing. Levels of many rows hardly
// notice, those of a few are drawn to zero.
const levelRows = 2

// levels calls f for the coefficient of each level of the living texts, with the
// prior on it: that on what the level adds, in the units of the coefficient.
func (ob *objective) levels(f func(at int, p prior.Shrink)) {
	if ob.level == 0 {
		return
	}
	ob.each(func(v, _, at, lo, hi int) {
		if v < ob.numbers {
			return
		}
		for p := lo; p < hi; p++ {
			f(at+p-lo, prior.Shrink{Lambda: ob.level * ob.scale[p] * ob.scale[p] / 2})
		}
	})
}

// levelStrength returns the strength of the prior on levels in the mean loss, whatever
// the unit of the weights: how curved the loss of a row is, over the weight of all of
// them, for so many more rows of the usual weight. Rows that say nothing do not count.
func (ob *objective) levelStrength() float64 {
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
		return 0
	}
	return levelRows * (curved / weight) / rows
}
