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

// bend returns how curved the loss of a row is, by the first rows.
func (ob *objective) bend() float64 {
	rows := ob.rows.cut(span{0, len(ob.rows.y)}, 1024)[0]
	d := make([]float64, rows.hi-rows.lo)
	ob.loss.Curvature(d, ob.rows.target(rows))
	var sum float64
	for _, v := range d {
		sum += v
	}
	return sum / float64(len(d))
}
