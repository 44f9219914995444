package loss

import (
	"math"

	"fsa/internal/kernel"
)

// Logistic is the logistic loss w·ln(1+exp(−yz)) of eq. logloss of the paper,
// where y is −1 or +1.
type Logistic struct{}

var _ Loss = Logistic{}

// Outputs implements [Loss].
func (Logistic) Outputs() int { return 1 }

// Eval implements [Loss].
func (Logistic) Eval(r, z []float64, t Target) (sum, weight float64) {
	r, z = r[:len(t.Y)], z[:len(t.Y)]
	kernel.ExpNegAbs(r, z) // |yz| is |z|
	sum = logs(r, t.Weight)
	for i, y := range t.Y {
		w, x, e := t.WeightOf(i), y*z[i], r[i]
		share := math.Float64bits(1) // as bits, because integers are selected without a branch
		if x > 0 {
			share = math.Float64bits(e)
		}
		r[i] = -w * y * (math.Float64frombits(share) / (1 + e)) // the probability of the wrong class
		sum += w * (math.Abs(x)/2 - x/2)                        // max(−x, 0)
		weight += w
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative is wp(1−p) ≤ w/4.
func (Logistic) Curvature(d []float64, t Target) float64 { return t.scaled(d, 0.25) }
