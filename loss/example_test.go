package loss_test

import (
	"fmt"

	"fsa/loss"
)

// Expectile asks for an expectile of the response instead of its mean (Newey and Powell 1987): with
// u = y−z it is the squared error, weighted by Tau where the response is above and by 1−Tau below,
//
//	τu² or (1−τ)u²
type Expectile struct {
	Tau float64
}

var _ loss.Loss = Expectile{}

func (Expectile) Outputs() int { return 1 }

func (l Expectile) Eval(r, z []float64, t loss.Target) (sum, weight float64) {
	for i, y := range t.Y {
		w, u, share := t.WeightOf(i), y-z[i], l.Tau
		if u < 0 {
			share = 1 - l.Tau
		}
		r[i] = -2 * w * share * u
		sum += w * share * u * u
		weight += w
	}
	return sum, weight
}

func (l Expectile) Curvature(d []float64, t loss.Target) (weight float64) {
	for i := range t.Y {
		w := t.WeightOf(i)
		d[i] = 2 * w * max(l.Tau, 1-l.Tau)
		weight += w
	}
	return weight
}

// A loss of your own is a type with three methods. Here one asks for a high expectile, so a row above
// its margin costs nine times what one below it does.
func Example() {
	var l loss.Loss = Expectile{Tau: 0.9}
	target := loss.Target{Y: []float64{1, -1}}
	r := make([]float64, 2)
	sum, weight := l.Eval(r, []float64{0, 0}, target)
	fmt.Printf("mean loss %.1f, derivatives %.1f\n", sum/weight, r)
	// Output:
	// mean loss 0.5, derivatives [-1.8 0.2]
}
