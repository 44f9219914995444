package loss

import "math"

// Gamma is the loss of positive amounts whose standard deviation is proportional to their mean:
// half the deviance of a gamma distribution with the mean μ = Rate·exp(z),
//
//	w(exp(x) − x − 1), where x = ln(y/Rate) − z.
//
// The dispersion does not affect the position of the minimum.
type Gamma struct {
	// Rate is the mean response of the null model. Zero means 1.
	Rate float64
}

var _ Loss = Gamma{}

// Outputs implements [Loss].
func (Gamma) Outputs() int { return 1 }

// Eval implements [Loss].
func (l Gamma) Eval(r, z []float64, t Target) (sum, weight float64) {
	base := math.Log(orOne(l.Rate))
	for i, y := range t.Y {
		w := t.WeightOf(i)
		x := math.Log(y) - base - z[i]
		e, slope := growth(x)
		r[i] = w * (1 - slope)
		sum += w * max(e-x-1, 0) // rounding may make it negative
		weight += w
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative exp(x) has no bound: see growth.
func (l Gamma) Curvature(d []float64, t Target) (weight float64) {
	base := math.Log(orOne(l.Rate))
	for i, y := range t.Y {
		w := t.WeightOf(i)
		d[i] = w * (times(math.Log(y)-base-t.OffsetOf(i)) + 1)
		weight += w
	}
	return weight
}
