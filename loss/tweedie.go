package loss

import "math"

// Tweedie is the loss of amounts of which many are zero, such as insurance claims: half the
// deviance of a compound Poisson-gamma distribution (Jørgensen 1987) with the mean μ = Rate·exp(z)
// and the variance φμ^p, in units of Rate^(2−p),
//
//	w(exp((2−p)z)/(2−p) + t·exp(−(p−1)z)/(p−1) − t^(2−p)/((2−p)(p−1))), where t = y/Rate.
type Tweedie struct {
	// Rate is the mean response of the null model. Zero means 1.
	Rate float64
	// Power is p, between 1 and 2. Zero means 1.5.
	Power float64
}

var _ Loss = Tweedie{}

// DefaultPower is the power of the Tweedie loss if none is given and it cannot be estimated.
const DefaultPower = 1.5

func (l Tweedie) power() float64 {
	if l.Power == 0 {
		return DefaultPower
	}
	return l.Power
}

// Nats implements [Scaled]. Because the dispersion is unknown, it is the factor that turns the loss
// into half the deviance.
func (l Tweedie) Nats() float64 { return math.Pow(orOne(l.Rate), 2-l.power()) }

// Outputs implements [Loss].
func (Tweedie) Outputs() int { return 1 }

// Eval implements [Loss].
func (l Tweedie) Eval(r, z []float64, t Target) (sum, weight float64) {
	unit, a := orOne(l.Rate), l.power()-1 // 1−a = 2−p
	for i, y := range t.Y {
		w, y := t.WeightOf(i), y/unit
		up, rise := growth((1 - a) * z[i])
		r[i] = w * rise
		value := up / (1 - a)
		if y > 0 {
			down, fall := growth(math.Log(y) - a*z[i]) // t·exp(−az)
			r[i] -= w * fall
			value += down/a - math.Pow(y, 1-a)/(a*(1-a))
		}
		sum += w * max(value, 0) // rounding may make it negative
		weight += w
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative has no bound: see growth.
func (l Tweedie) Curvature(d []float64, t Target) (weight float64) {
	unit, a := orOne(l.Rate), l.power()-1
	for i, y := range t.Y {
		w, y, o := t.WeightOf(i), y/unit, t.OffsetOf(i)
		d[i] = w * ((1-a)*times((1-a)*o) + a*y*times(-a*o) + math.Pow(y, 1-a))
		weight += w
	}
	return weight
}
