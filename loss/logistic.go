package loss

import "fsa/internal/kernel"

// Logistic is the logistic loss w·ln(1+exp(−yz)) of eq. logloss of the paper,
// where y is −1 or +1.
type Logistic struct{}

var _ Loss = Logistic{}

// Outputs implements [Loss].
func (Logistic) Outputs() int { return 1 }

// Eval implements [Loss].
func (Logistic) Eval(r, z []float64, t Target) (sum, weight float64) {
	var logs logSum
	kernel.Decay(r, z) // |yz| is |z|
	for i, y := range t.Y {
		w := t.weight(i)
		x := y * z[i]
		e := r[i]
		p := 1 / (1 + e) // of the wrong class
		if x > 0 {
			p *= e
		}
		r[i] = -w * y * p
		logs = logs.add(w, e)
		sum += w * max(-x, 0)
		weight += w
	}
	return sum + logs.total(), weight
}

// Curvature implements [Loss]. The second derivative is wp(1−p) ≤ w/4.
func (Logistic) Curvature(d []float64, t Target) float64 { return t.scaled(d, 0.25) }
