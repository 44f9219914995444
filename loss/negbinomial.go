package loss

import (
	"math"

	"fsa/internal/portable"
)

// NegBinomial is the loss of counts with more variance than Poisson counts: half the deviance of a
// negative binomial distribution with the mean μ = Rate·exp(z) and the variance μ + μ²/Size,
// divided by the mean of its second derivative at z = 0, so that this is 1 on average,
//
//	w(y·ln(y/μ) − (y+θ)·ln((y+θ)/(μ+θ)))(Rate+θ)/(Rate·θ), where θ is Size.
//
// Its minimum is a consistent estimate of the mean for any Size.
type NegBinomial struct {
	// Rate is the mean response of the null model. Zero means 1.
	Rate float64
	// Size is θ. Zero means 1.
	Size float64
}

var (
	_ Loss   = NegBinomial{}
	_ Scaled = NegBinomial{}
)

// largeMean is the logarithm of a mean at which Size is negligible.
const largeMean = 600

// Nats implements [Scaled].
func (l NegBinomial) Nats() float64 {
	mean, size := orOne(l.Rate), orOne(l.Size)
	return mean / (1 + mean/size)
}

// Outputs implements [Loss].
func (NegBinomial) Outputs() int { return 1 }

// Eval implements [Loss].
func (l NegBinomial) Eval(r, z []float64, t Target) (sum, weight float64) {
	size, unit := orOne(l.Size), l.Nats()
	base, end := math.Log(orOne(l.Rate)), math.Log(size)
	for i, y := range t.Y {
		w := t.WeightOf(i) / unit
		x := base + z[i]            // ln μ
		p, q, _ := sigmoid(end - x) // μ/(μ+θ) and θ/(μ+θ)
		value := (y + size) * (x - math.Log(y+size))
		if x < largeMean {
			value = (y + size) * math.Log1p((portable.Exp(x)-y)/(y+size))
		}
		if y > 0 {
			value += y * (math.Log(y) - x)
		}
		r[i] = w * (p*size - q*y)
		sum += w * max(value, 0) // rounding may make it negative
		weight += t.WeightOf(i)
	}
	return sum, weight
}

// Curvature implements [Loss]. The second derivative is (y+θ)μθ/(μ+θ)² ≤ (y+θ)/4. For large θ this
// bound is much larger than the second derivatives that occur, and the working bound of [Poisson]
// is used.
func (l NegBinomial) Curvature(d []float64, t Target) (weight float64) {
	mean, size, unit := orOne(l.Rate), orOne(l.Size), l.Nats()
	for i, y := range t.Y {
		w := t.WeightOf(i)
		d[i] = w * min((y+size)/4, mean*times(t.OffsetOf(i))+y) / unit
		weight += w
	}
	return weight
}
