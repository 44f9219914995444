package fsa

import (
	"math"

	"fsa/loss"
	"fsa/validate"
)

// gainOverNull returns by how much out-of-fold decision values lower the loss of a row below that
// of the null model of the fold, on average over rows, the standard error of that, and what
// the signed-rank test says of numbers, to which one row far out is but one. Of classes it is 0:
// where there is nothing to find many rows gain a little and few lose much, which ranks take for a signal.
// Folds are too few to tell chance from signal; rows are more. Rows of a query do not
// count each for itself, and then all are 0.
func (t *tuner) gainOverNull(z []float64, has []bool, null *outcome) (mean, se, rank float64) {
	j := t.job
	if j.response.Task == loss.Ranking {
		return 0, 0, 0
	}
	base, _ := t.outOfFold(null.solutions)
	outputs := j.response.Loss.Outputs()
	r := make([]float64, outputs)
	rows := loss.Target{Weight: j.data.Target.Weight}
	var total, sum, squares, n float64
	var gains []float64
	for i, ok := range has {
		w := rows.WeightOf(i)
		if !ok || w == 0 {
			continue
		}
		at := loss.Target{Y: j.target.Y[i : i+1]}
		own, _ := j.response.Loss.Eval(r, z[i*outputs:(i+1)*outputs], at)
		other, _ := j.response.Loss.Eval(r, base[i*outputs:(i+1)*outputs], at)
		total += w
		sum += w * (other - own)
		squares += w * (other - own) * (other - own)
		n++
		gains = append(gains, other-own)
	}
	if mean = sum / total; j.response.Task == loss.Regression {
		rank = validate.SignedRank(gains)
	}
	return mean, math.Sqrt(max(squares/total-mean*mean, 0) / max(n-1, 1)), rank
}
