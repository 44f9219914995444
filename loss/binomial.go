package loss

import "math"

// Binomial is the loss of the share y of successes among trials, between 0 and 1: half the deviance of a binomial
// distribution with the probability p = 1/(1+exp(−z)),
//
//	w(y·ln(y/p) + (1−y)·ln((1−y)/(1−p))).
//
// The weight of a row counts its trials. For shares of 0 and 1 it is the [Logistic] loss.
type Binomial struct{}

var _ Loss = Binomial{}

// Outputs implements [Loss].
func (Binomial) Outputs() int { return 1 }

// Eval implements [Loss].
func (Binomial) Eval(r, z []float64, t Target) (sum, weight float64) {
	for i, y := range t.Y {
		w := t.WeightOf(i)
		q, p, e := sigmoid(z[i])
		r[i] = w * ((1-y)*p - y*q)
		value := math.Log1p(e) + y*max(-z[i], 0) + (1-y)*max(z[i], 0)
		if y > 0 && y < 1 {
			value += y*math.Log(y) + (1-y)*math.Log1p(-y)
		}
		sum += w * max(value, 0) // rounding may make it negative
		weight += w
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative is wp(1−p) ≤ w/4.
func (Binomial) Curvature(d []float64, t Target) float64 { return t.scaled(d, 0.25) }
