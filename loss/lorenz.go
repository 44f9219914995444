package loss

import "math"

// Lorenz is the Lorenz loss of eq. lorloss of the paper at x = yz, where y is −1 or +1:
// ln(1+(x−1)²) below x = 1 and zero above. It grows only logarithmically, so wrong labels have
// little influence. It is not convex.
type Lorenz struct{}

var _ Loss = Lorenz{}

// Outputs implements [Loss].
func (Lorenz) Outputs() int { return 1 }

// Eval implements [Loss]. Logarithms take most of the time, so rows of equal weight share one: the
// logarithm of the product of their 1+u². (A u² that is too small to change 1+u² is ignored.)
func (Lorenz) Eval(r, z []float64, t Target) (sum, weight float64) {
	const (
		huge = 1e50  // above this, 1+u² equals u² in floating point,
		full = 1e200 // and the product can take one more factor without overflow
	)
	product, of := 1.0, 0.0
	for i, y := range t.Y {
		w := t.WeightOf(i)
		weight += w
		u := 1 - y*z[i]
		switch {
		case u <= 0:
			r[i] = 0
		case u < huge:
			r[i] = -w * y * 2 * u / (1 + u*u)
			if w != of || product > full {
				sum += of * math.Log(product)
				product, of = 1, w
			}
			product *= 1 + u*u
		default:
			r[i] = -w * y * 2 / u
			sum += w * 2 * math.Log(u)
		}
	}
	return sum + of*math.Log(product), weight
}

// Curvature implements [Loss]. The second derivative 2w(1−u²)/(1+u²)², where
// u = 1−x, is largest at u = 0.
func (Lorenz) Curvature(d []float64, t Target) float64 { return t.scaled(d, 2) }
