package loss

import (
	"math"

	"fsa/internal/portable"
)

// Multinomial is the cross-entropy of the softmax of several margins,
// w(ln Σ_c exp(z_c) − z_y), where y is the number of a class, 0 to Classes−1.
type Multinomial struct {
	Classes int
}

var _ Loss = Multinomial{}

// Outputs implements [Loss].
func (l Multinomial) Outputs() int { return l.Classes }

// Eval implements [Loss].
//
// The largest margin is subtracted before exponentials are taken, and the sums leave out the term
// that is 1 or nearly 1. So nothing overflows, and the small loss and derivative of a row that is
// fitted well keep full precision.
func (l Multinomial) Eval(r, z []float64, t Target) (sum, weight float64) {
	n := len(t.Y)
	end := n * l.Classes
	for i, y := range t.Y {
		w := t.WeightOf(i)
		own := int(y)*n + i
		top := i
		for k := i + n; k < end; k += n {
			if z[k] > z[top] {
				top = k
			}
		}
		var rest float64 // Σ exp(z_c − z_top) without the top itself
		for k := i; k < end; k += n {
			if k == top {
				r[k] = 1
				continue
			}
			r[k] = portable.Exp(z[k] - z[top])
			rest += r[k]
		}
		var others float64 // w times the probability of all classes but y
		for k := i; k < end; k += n {
			if k != own {
				r[k] *= w / (1 + rest)
				others += r[k]
			}
		}
		r[own] = -others
		sum += w * (math.Log1p(rest) + z[top] - z[own])
		weight += w
	}
	return sum, weight
}

// Curvature implements [Loss]. The Hessian diag(p) − ppᵀ has no eigenvalue
// above ½, by Gershgorin: the sum of a row's absolute values is 2p(1−p).
func (Multinomial) Curvature(d []float64, t Target) float64 { return t.scaled(d, 0.5) }
