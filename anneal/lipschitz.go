package anneal

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// power finds the Lipschitz constant of the gradient of the mean, the largest
// eigenvalue of the bound on its Hessian, by power iterations: from a random direction
// the first time, later from where the last measurement ended, and where that may
// mislead from a random direction, too.
//
// Power iterations come from below, and momentum m bears steps up to
// (1 + 1/(1+2m))/L only, so they go on while the estimate rises.
type power struct {
	measured  int       // groups alive at the last measurement
	direction []float32 // of largest curvature, as found then; no more digits are needed to go on from it

	weight, typical float64 // of the measurement that is being made
}

const (
	firstIterations = 10   // at least, from a random direction
	laterIterations = 4    // at least, from the last direction
	mostIterations  = 50   // at most
	rising          = 1.01 // what an estimate still rises by in an iteration
	stepBatches     = 3    // batches measured, the most curved of which counts
)

// measure finds the constant. V and hv are room to work in, a number for each
// coefficient.
func (p *power) measure(ctx context.Context, obj Objective, v, hv []float64) (Lipschitz, error) {
	curved, ok := obj.(Curved)
	if !ok {
		return Lipschitz{}, ErrNoStep
	}
	l := obj.Layout()
	least := laterIterations
	rng := rand.New(rand.NewPCG(1, 1+uint64(p.measured)))
	if p.measured == 0 {
		least = firstIterations
		p.direction = make([]float32, l.Len())
		for i := range p.direction {
			p.direction[i] = float32(rng.NormFloat64())
		}
	}
	p.typical = 0
	batches := obj.Batches()
	var steepest float64
	convert(v, p.direction)
	for b, seen := 0, 0; b < batches && seen < stepBatches; b++ {
		c, err := p.iterate(ctx, curved, b, v, hv, least)
		if err != nil {
			return Lipschitz{}, err
		}
		if c > 0 { // a batch without weight says nothing
			seen, least = seen+1, laterIterations
		}
		if c > steepest {
			steepest = c
			convert(p.direction, v)
		}
		// The next batch is likely to be curved alike, but may be otherwise.
		convert(v, p.direction)
		stray(v, 0.3*Norm(v)/math.Sqrt(float64(len(v))), rng)
	}
	if p.measured > 0 && (batches == 1 || l.Len() > l.Groups()+l.Free) {
		// The last direction may not lead to the steepest any more: that in which all
		// knots of all curves rise stays what it is, however many curves go.
		clear(v)
		stray(v, 1, rng)
		c, err := p.iterate(ctx, curved, 0, v, hv, firstIterations)
		if err != nil {
			return Lipschitz{}, err
		}
		if c > steepest {
			steepest = c
			convert(p.direction, v)
		}
	}
	p.measured = l.Groups()
	return Lipschitz{Constant: steepest, Typical: p.typical, Weight: p.weight}, nil
}

// iterate returns the largest eigenvalue of the bound on the Hessian of the
// mean over a batch, by power iterations that start from v and improve it.
func (p *power) iterate(ctx context.Context, obj Curved, batch int, v, hv []float64, least int) (float64, error) {
	var largest, before float64
	for n := 0; n < least || n < mostIterations && largest > rising*before; n++ {
		weight, err := obj.Curvature(ctx, batch, hv, v)
		if err != nil {
			return 0, err
		}
		p.weight = weight
		length, bent := Norm(v), Norm(hv)
		if length == 0 || bent == 0 || weight == 0 {
			break
		}
		if p.typical == 0 {
			p.typical = dot(v, hv) / dot(v, v) / weight
		}
		before, largest = largest, bent/length/weight
		if !finite(largest) {
			return 0, fmt.Errorf("anneal: the curvature of batch %d is %v, so no step can be chosen: the numbers are too large, or a prior too strong", batch, largest)
		}
		for i := range v {
			v[i] = hv[i] / bent
		}
	}
	return largest, nil
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

// Measure returns the Lipschitz constant of the gradient of an objective, for
// [Settings].Lipschitz of several descents that begin alike.
func Measure(ctx context.Context, obj Objective) (Lipschitz, error) {
	n := obj.Layout().Len()
	return new(power).measure(ctx, obj, make([]float64, n), make([]float64, n))
}
