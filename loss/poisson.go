package loss

import "math"

// Poisson is the loss of counts: half the deviance of a Poisson distribution with the mean μ =
// Rate·exp(z), divided by Rate,
//
//	w(exp(z) − t·z + t·ln t − t), where t = y/Rate.
//
// So its second derivative at z = 0 is 1, however large the counts are. If the variance differs
// from the mean, the estimate of the mean is still consistent (quasi-likelihood, Wedderburn 1974).
type Poisson struct {
	// Rate is the mean response of the null model. Zero means 1.
	Rate float64
}

var (
	_ Loss   = Poisson{}
	_ Scaled = Poisson{}
)

// Nats implements [Scaled].
func (l Poisson) Nats() float64 { return orOne(l.Rate) }

// Outputs implements [Loss].
func (Poisson) Outputs() int { return 1 }

// Eval implements [Loss].
func (l Poisson) Eval(r, z []float64, t Target) (sum, weight float64) {
	unit := orOne(l.Rate)
	for i, y := range t.Y {
		w, y := t.WeightOf(i), y/unit
		e, slope := growth(z[i])
		r[i] = w * (slope - y)
		value := e - y*z[i] - y
		if y > 0 {
			value += y * math.Log(y)
		}
		sum += w * max(value, 0) // rounding may make it negative
		weight += w
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative exp(z) has no bound: see growth.
func (l Poisson) Curvature(d []float64, t Target) (weight float64) {
	unit := orOne(l.Rate)
	for i, y := range t.Y {
		w := t.WeightOf(i)
		d[i] = w * (times(t.OffsetOf(i)) + y/unit)
		weight += w
	}
	return weight
}
