package model

// What says that there is a signal. It is so much because the best of several ways and sizes was
// taken, and folds depend on each other (evidence.md#the-size).
const (
	signalErrors = 3   // standard errors of the mean over rows,
	signalRanks  = 2.5 // or what the signed-rank test says of numbers
)

// Signal reports whether the chosen size is better than the null model, by the gains of rows,
// or where these are not known by a standard error over folds.
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
