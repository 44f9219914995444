package anneal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// Power estimates the Lipschitz constant of the gradient of the mean, the largest eigenvalue
// of its Hessian bound, by power iteration. The first measurement starts from a random vector.
// Later ones start from the last result, and also from a random vector if that may be
// misleading.
//
// Power iteration approaches the constant from below, and with momentum m only steps up to (1
// + 1/(1+2m))/L are stable. So it continues while the estimate rises.
type Power struct {
	Measured  int       // groups alive at the last measurement
	Direction []float32 // direction of the largest curvature at the last measurement; float32 is precise enough for a start

	weight, typical float64 // results of the present measurement
}

// HessianMultiplier multiplies a vector by the Hessian bound, for power iteration. It stores the vector beside the data of
// the objective, such as on a device.
type HessianMultiplier interface {
	// SetVector sets the vector v, and Vector copies it to its argument.
	SetVector(v []float64) error
	Vector(v []float64) error
	// Multiply computes Hv for the Hessian bound H of the sum over a batch.
	Multiply(ctx context.Context, batch int) (HessianProduct, error)
	// Normalize replaces v by Hv/‖Hv‖.
	Normalize() error
}

// HessianProduct is the result of multiplying a vector v by the Hessian bound H.
type HessianProduct struct {
	VectorNorm, ProductNorm float64 // ‖v‖ and ‖Hv‖
	Rayleigh                float64 // Rayleigh quotient ⟨v,Hv⟩/⟨v,v⟩
	Weight                  float64 // weight of the batch
}

const (
	firstIterations = 10   // minimum number of iterations from a random direction
	laterIterations = 4    // minimum number of iterations from the last direction
	mostIterations  = 50   // maximum number of iterations
	rising          = 1.01 // growth of the estimate per iteration above which iterations continue
	stepBatches     = 3    // number of batches to measure; the largest constant is used
)

// ErrNoStep is returned if no step size was given and none can be computed.
var ErrNoStep = errors.New("anneal: Eta is not set, and the objective cannot bound its curvature")

// Measure estimates the constant of an objective. on multiplies vectors by its Hessian bound.
// v is scratch space with one number per coefficient.
func (p *Power) Measure(ctx context.Context, obj Objective, on HessianMultiplier, v []float64) (Lipschitz, error) {
	l := obj.Layout()
	least := laterIterations
	rng := rand.New(rand.NewPCG(1, 1+uint64(p.Measured)))
	if p.Measured == 0 {
		least = firstIterations
		p.Direction = make([]float32, l.Len())
		for i := range p.Direction {
			p.Direction[i] = float32(rng.NormFloat64())
		}
	}
	p.typical = 0
	batches := obj.Batches()
	var steepest float64
	convert(v, p.Direction)
	for b, seen := 0, 0; b < batches && seen < stepBatches; b++ {
		c, err := p.iterate(ctx, on, b, v, least)
		if err != nil {
			return Lipschitz{}, err
		}
		if c > 0 { // a batch without weight has no constant
			seen, least = seen+1, laterIterations
		}
		if c > steepest {
			steepest = c
			convert(p.Direction, v)
		}
		// The next batch probably has a similar direction; random numbers are added in case it has not.
		convert(v, p.Direction)
		perturb(v, 0.3*Norm(v)/math.Sqrt(float64(len(v))), rng)
	}
	if p.Measured > 0 && (batches == 1 || l.Len() > l.Groups()+l.Free) {
		// The iterations from the last direction may miss the largest eigenvalue now. For example, the direction in which
		// the values at all knots of all curves rise remains an eigenvector, however many curves are dropped.
		clear(v)
		perturb(v, 1, rng)
		c, err := p.iterate(ctx, on, 0, v, firstIterations)
		if err != nil {
			return Lipschitz{}, err
		}
		if c > steepest {
			steepest = c
			convert(p.Direction, v)
		}
	}
	p.Measured = l.Groups()
	return Lipschitz{Constant: steepest, Typical: p.typical, Weight: p.weight}, nil
}

// iterate returns the largest eigenvalue of the Hessian bound of the mean over a batch. It replaces v, the start of the
// power iteration, by the approximate eigenvector.
func (p *Power) iterate(ctx context.Context, on HessianMultiplier, batch int, v []float64, least int) (float64, error) {
	if err := on.SetVector(v); err != nil {
		return 0, err
	}
	var largest, before float64
	for n := 0; n < least || n < mostIterations && largest > rising*before; n++ {
		b, err := on.Multiply(ctx, batch)
		if err != nil {
			return 0, err
		}
		p.weight = b.Weight
		if b.VectorNorm == 0 || b.ProductNorm == 0 || b.Weight == 0 {
			break
		}
		if p.typical == 0 {
			p.typical = b.Rayleigh / b.Weight
		}
		before, largest = largest, b.ProductNorm/b.VectorNorm/b.Weight
		if !finite(largest) {
			return 0, fmt.Errorf("anneal: the curvature of batch %d is %v, so no step can be chosen: the numbers are too large, or a prior too strong", batch, largest)
		}
		if err := on.Normalize(); err != nil {
			return 0, err
		}
	}
	return largest, on.Vector(v)
}

// multiplier is a [HessianMultiplier] for an objective in this process.
type multiplier struct {
	Curved
	v, hv []float64
	norm  float64
}

// measure estimates the constant of an objective. v and hv are scratch space with one number per coefficient.
func (p *Power) measure(ctx context.Context, obj Objective, v, hv []float64) (Lipschitz, error) {
	curved, ok := obj.(Curved)
	if !ok {
		return Lipschitz{}, ErrNoStep
	}
	return p.Measure(ctx, obj, &multiplier{Curved: curved, v: v, hv: hv}, v)
}

// SetVector implements [HessianMultiplier]. It does nothing, because v is the vector of the caller.
func (b *multiplier) SetVector([]float64) error { return nil }

// Vector implements [HessianMultiplier].
func (b *multiplier) Vector([]float64) error { return nil }

// Multiply implements [HessianMultiplier].
func (b *multiplier) Multiply(ctx context.Context, batch int) (HessianProduct, error) {
	weight, err := b.Curvature(ctx, batch, b.hv, b.v)
	b.norm = Norm(b.hv)
	return HessianProduct{VectorNorm: Norm(b.v), ProductNorm: b.norm, Rayleigh: dot(b.v, b.hv) / dot(b.v, b.v), Weight: weight}, err
}

// Normalize implements [HessianMultiplier].
func (b *multiplier) Normalize() error {
	for i := range b.v {
		b.v[i] = b.hv[i] / b.norm
	}
	return nil
}

// convert copies from to to.
func convert[T, F float32 | float64](to []T, from []F) {
	for i, v := range from {
		to[i] = T(v)
	}
}

// perturb adds normal random numbers with the given standard deviation to v.
func perturb(v []float64, size float64, rng *rand.Rand) {
	for i := range v {
		v[i] += size * rng.NormFloat64()
	}
}

func dot(v, w []float64) float64 {
	var sum float64
	for i, x := range v {
		sum += x * w[i]
	}
	return sum
}

// Measure returns the Lipschitz constant of the gradient of an objective. Several descents
// with the same start can share it as [Settings.Lipschitz].
func Measure(ctx context.Context, obj Objective) (Lipschitz, error) {
	n := obj.Layout().Len()
	return new(Power).measure(ctx, obj, make([]float64, n), make([]float64, n))
}
