package model

import "math"

// Thresholds of [Validation.Signal]. They are high because the best of several recipes and sizes
// was taken, and because folds are not independent (defaults.md#the-size).
const (
	signalErrors = 3   // in standard errors of the mean over rows
	signalRanks  = 2.5 // of the signed-rank statistic, for numeric targets
)

// Signal reports whether the chosen size is better than the null model. It compares the losses of
// the rows or, if these are not known, of the folds.
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

// clearDrop is the drop, as a share of the loss of the null model, that is clearly visible on a
// curve whatever its standard error.
const clearDrop = 0.2

// Drop returns the point of the curve that a reader compares with the null model: the chosen size
// or, if no variable was chosen, the best size. It reports whether that point is visibly better, by
// a standard error or a fifth of the loss of the null model. With few folds that differ much, such
// a drop may not be significant, and [Validation.Signal] is false; it would still be wrong to
// report that there is no signal.
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
