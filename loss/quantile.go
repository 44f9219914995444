package loss

import "math"

// Quantile is the loss whose minimum is the quantile Tau of the response instead of its mean
// (Koenker and Bassett 1978). With u = y−z it is the pinball loss, τu for positive u and (τ−1)u for
// negative u, with its corner rounded over a width of about S:
//
//	w·unit·(τu + s·ln(1+exp(−u/s)))
type Quantile struct {
	// Tau is the share of responses below the predicted value, between 0 and 1. Zero means ½, the
	// median.
	Tau float64
	// S is the width of the corner. Zero means 1.
	S float64
	// Unit multiplies the loss, so that a ridge has the same effect as with the squared loss. Zero
	// means 1.
	Unit float64
}

var _ Loss = Quantile{}

const (
	// corner is the width of the corner as a share of the standard deviation of the response. It
	// changes the share of responses below the prediction by a few thousandths.
	corner = 0.02
	// curved is the standard deviation of normal errors times their density at the mean: the second
	// derivative of the mean pinball loss is curved divided by the standard deviation.
	curved = 0.3989
)

// newQuantile returns the loss for a response with the given standard deviation.
func newQuantile(tau, spread float64) Quantile {
	return Quantile{Tau: tau, S: corner * spread, Unit: spread / curved}
}

// quantiles returns the loss of one quantile or of several.
func quantiles(p Params) Loss {
	if p.Quantiles == nil {
		return newQuantile(p.Quantile, p.Spread)
	}
	var each []Loss
	for _, tau := range p.Quantiles {
		each = append(each, newQuantile(tau, p.Spread))
	}
	return NewSeveral(each...)
}

func (l Quantile) tau() float64 {
	if l.Tau == 0 {
		return 0.5
	}
	return l.Tau
}

// Outputs implements [Loss].
func (Quantile) Outputs() int { return 1 }

// Eval implements [Loss].
func (l Quantile) Eval(r, z []float64, t Target) (sum, weight float64) {
	tau, s, unit := l.tau(), orOne(l.S), orOne(l.Unit)
	for i, y := range t.Y {
		w, u := unit*t.WeightOf(i), y-z[i]
		below, _, e := sigmoid(u / s)
		r[i] = w * (below - tau)
		sum += w * (tau*max(u, 0) + (1-tau)*max(-u, 0) + s*math.Log1p(e))
		weight += t.WeightOf(i)
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative is largest at u = 0.
func (l Quantile) Curvature(d []float64, t Target) float64 {
	return t.scaled(d, orOne(l.Unit)/(4*orOne(l.S)))
}
