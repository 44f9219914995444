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
	Direction []float32 // of largest curvature, as last measured; its precision suffices as a start

	weight, typical float64 // of the measurement that is being made
}

// Bender multiplies a vector by the Hessian bound, for power iteration. It keeps the vector
// where the numbers of the objective are, such as on a device.
type Bender interface {
	// Point sets the direction v, and Pointed returns it.
	Point(v []float64) error
	Pointed(v []float64) error
	// Bend finds Hv for the bound H of the sum over a batch.
	Bend(ctx context.Context, batch int) (Bent, error)
	// Turn makes Hv/‖Hv‖ the direction.
	Turn() error
}

// Bent is the result of multiplying a vector v by the Hessian bound H.
type Bent struct {
	Length, Bent float64 // ‖v‖ and ‖Hv‖
	Along        float64 // ⟨v,Hv⟩/⟨v,v⟩
	Weight       float64 // of the batch
}

const (
	firstIterations = 10   // at least, from a random direction
	laterIterations = 4    // at least, from the last direction
	mostIterations  = 50   // at most
	rising          = 1.01 // growth of the estimate per iteration above which iterations continue
	stepBatches     = 3    // batches that are measured; the largest constant is used
)

// ErrNoStep says that no step size was given and none can be computed.
var ErrNoStep = errors.New("anneal: Eta is not set, and the objective cannot bound its curvature")

// Measure estimates the constant of an objective. on multiplies vectors by its Hessian bound.
// v is scratch space with one number per coefficient.
func (p *Power) Measure(ctx context.Context, obj Objective, on Bender, v []float64) (Lipschitz, error) {
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
		// The next batch is likely to be curved alike, but may be otherwise.
		convert(v, p.Direction)
		stray(v, 0.3*Norm(v)/math.Sqrt(float64(len(v))), rng)
	}
	if p.Measured > 0 && (batches == 1 || l.Len() > l.Groups()+l.Free) {
		// The last direction may not lead to the steepest any more: that in which all
		// knots of all curves rise stays what it is, however many curves go.
		clear(v)
		stray(v, 1, rng)
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

// iterate returns the largest eigenvalue of the bound on the Hessian of the
// mean over a batch, by power iterations that start from v and improve it.
func (p *Power) iterate(ctx context.Context, on Bender, batch int, v []float64, least int) (float64, error) {
	if err := on.Point(v); err != nil {
		return 0, err
	}
	var largest, before float64
	for n := 0; n < least || n < mostIterations && largest > rising*before; n++ {
		b, err := on.Bend(ctx, batch)
		if err != nil {
			return 0, err
		}
		p.weight = b.Weight
		if b.Length == 0 || b.Bent == 0 || b.Weight == 0 {
			break
		}
		if p.typical == 0 {
			p.typical = b.Along / b.Weight
		}
		before, largest = largest, b.Bent/b.Length/b.Weight
		if !finite(largest) {
			return 0, fmt.Errorf("anneal: the curvature of batch %d is %v, so no step can be chosen: the numbers are too large, or a prior too strong", batch, largest)
		}
		if err := on.Turn(); err != nil {
			return 0, err
		}
	}
	return largest, on.Pointed(v)
}

// bender is a [Bender] by slices.
type bender struct {
	Curved
	v, hv []float64
	bent  float64
}

// measure finds the constant of an objective. V and hv are room to work in, a number for
// each coefficient.
func (p *Power) measure(ctx context.Context, obj Objective, v, hv []float64) (Lipschitz, error) {
	curved, ok := obj.(Curved)
	if !ok {
		return Lipschitz{}, ErrNoStep
	}
	return p.Measure(ctx, obj, &bender{Curved: curved, v: v, hv: hv}, v)
}

// Point implements [Bender]: the direction is where it works.
func (b *bender) Point([]float64) error { return nil }

// Pointed implements [Bender].
func (b *bender) Pointed([]float64) error { return nil }

// Bend implements [Bender].
func (b *bender) Bend(ctx context.Context, batch int) (Bent, error) {
	weight, err := b.Curvature(ctx, batch, b.hv, b.v)
	b.bent = Norm(b.hv)
	return Bent{Length: Norm(b.v), Bent: b.bent, Along: dot(b.v, b.hv) / dot(b.v, b.v), Weight: weight}, err
}

// Turn implements [Bender].
func (b *bender) Turn() error {
	for i := range b.v {
		b.v[i] = b.hv[i] / b.bent
	}
	return nil
}

// convert sets to to the numbers of from.
func convert[T, F float32 | float64](to []T, from []F) {
	for i, v := range from {
		to[i] = T(v)
	}
}

// stray adds random numbers of the given size to v.
func stray(v []float64, size float64, rng *rand.Rand) {
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
