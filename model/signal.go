package model

import "math"

// What says that there is a signal. It is so much because the best of several ways and sizes was
// taken, and folds depend on each other (defaults.md#the-size).
const (
	signalErrors = 3   // standard errors of the mean over rows,
	signalRanks  = 2.5 // or what the signed-rank test says of numbers
)

// Signal reports whether the chosen size is better than the null model. It compares the losses
// of the rows, or the folds if those are not known.
func (v *Validation) Signal() bool {
	if v.GainSE > 0 {
		return v.Chosen > 0 && (v.Gain > signalErrors*v.GainSE || v.Gain > 0 && v.GainRank > signalRanks)
	}
	for _, p := range v.Points {
		if p.Size == v.Chosen {
			if LargerIsBetter(v.Measure) {
				return p.Size > 0 && p.Mean-p.SE > v.Null
			}
			return p.Size > 0 && p.Mean+p.SE < v.Null
		}
	}
	return false
}

// clearDrop is the share of the null model's loss from which a drop is seen on a curve
// whatever its standard error.
const clearDrop = 0.2

// Drop returns the point of the curve that a reader compares with the null model: that of the
// chosen size or, where no variable was chosen, the best one. It reports whether that point is
// visibly better, by a standard error or a fifth of the null model's loss. Few folds that
// differ much may leave such a drop without significance, so that [Validation.Signal] does not
// hold; but then it is wrong to say that there is nothing.
func (v *Validation) Drop() (at ValidationPoint, seen bool) {
	size := v.Chosen
	if size == 0 {
		size = v.Best
	}
	for _, p := range v.Points {
		if p.Size != size {
			continue
		}
		drop := v.Null - p.Mean
		if LargerIsBetter(v.Measure) {
			drop = -drop
		}
		return p, p.Size > 0 && drop > min(p.SE, clearDrop*math.Abs(v.Null))
	}
	return at, false
}
