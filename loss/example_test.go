package loss_test

import (
	"fmt"
	"math"

	"fsa/loss"
)

// Quantile asks for the quantile Tau of the response instead of its mean. With
// u = y−z it is the pinball loss, τu above and (τ−1)u below, its corner
// rounded over a width of about S:
//
//	τu + s·ln(1+exp(−u/s))
type Quantile struct {
	Tau, S float64
}

var _ loss.Loss = Quantile{}

func (Quantile) Outputs() int { return 1 }

func (l Quantile) Eval(r, z []float64, t loss.Target) (sum, weight float64) {
	for i, y := range t.Y {
		w := 1.0
		if t.Weight != nil {
			w = t.Weight[i]
		}
		u := y - z[i]
		e := math.Exp(-math.Abs(u) / l.S)
		below := 1 / (1 + e) // 1/(1+exp(u/s)), the soft answer to "is y < z?"
		if u > 0 {
			below = e / (1 + e)
		}
		r[i] = w * (below - l.Tau)
		sum += w * (l.Tau*max(u, 0) + (1-l.Tau)*max(-u, 0) + l.S*math.Log1p(e))
		weight += w
	}
	return sum, weight
}

func (l Quantile) Curvature(d []float64, t loss.Target) (weight float64) {
	for i := range t.Y {
		w := 1.0
		if t.Weight != nil {
			w = t.Weight[i]
		}
		d[i] = w / (4 * l.S) // below·(1−below)/s is largest at u = 0
		weight += w
	}
	return weight
}

// A loss of your own is a type with three methods. Here one asks for the upper
// decile, so a row above its margin costs nine times what one below it does.
func Example() {
	var l loss.Loss = Quantile{Tau: 0.9, S: 0.01}
	target := loss.Target{Y: []float64{2, -2}}
	r := make([]float64, 2)
	sum, weight := l.Eval(r, []float64{0, 0}, target)
	fmt.Printf("mean loss %.1f, derivatives %.1f\n", sum/weight, r)
	// Output:
	// mean loss 1.0, derivatives [-0.9 0.1]
}
