package anneal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// stepper chooses the step η. A step that was given stays. Otherwise η = 1/L,
// where L is the largest curvature of the mean objective on what is alive, by
// power iterations. Fewer variables are less curved, so L is measured again
// whenever half of them have gone, from where the last measurement ended, and where
// that may mislead from a random direction, too.
//
// Power iterations come from below, and momentum m bears steps up to
// (1 + 1/(1+2m))/L only, so they go on while the estimate rises.
type stepper struct {
	eta       float64
	given     bool
	shortened int       // how often the step was found too long
	measured  int       // groups alive at the last measurement
	weight    float64   // of the rows that were measured
	largest   float64   // curvature at the first measurement,
	typical   float64   // and that of a random direction
	fresh     bool      // no step was taken since
	direction []float32 // of largest curvature, as found then; no more digits are needed to go on from it
}

const (
	firstIterations = 10   // at least, from a random direction
	laterIterations = 4    // at least, from the last direction
	mostIterations  = 50   // at most
	rising          = 1.01 // what an estimate still rises by in an iteration
	stepBatches     = 3    // batches measured, the most curved of which counts
	shorter         = 0.25 // what a step that was too long is multiplied by
	mostShortened   = 40   // to 1e-24 of what was measured
	mostDoubts      = 10   // shortened so often, it is not the step
)

// ErrNoStep says that no step was given and none can be found.
var ErrNoStep = errors.New("anneal: Eta is not set, and the objective cannot bound its curvature")

// size returns the step to take. Last says that the groups alive are the final
// ones; v and hv are room to work in, a number for each coefficient.
func (s *stepper) size(ctx context.Context, obj Objective, l Layout, last bool, v, hv []float64) (float64, error) {
	groups := l.Groups()
	if s.given || groups == s.measured || s.measured > 0 && 2*groups > s.measured && !last {
		return s.eta, nil
	}
	curved, ok := obj.(Curved)
	if !ok {
		return 0, ErrNoStep
	}
	least := laterIterations
	rng := rand.New(rand.NewPCG(1, 1+uint64(s.measured)))
	if s.measured == 0 {
		least = firstIterations
		s.direction = make([]float32, l.Len())
		for i := range s.direction {
			s.direction[i] = float32(rng.NormFloat64())
		}
	}
	batches := obj.Batches()
	var steepest float64
	convert(v, s.direction)
	for b, seen := 0, 0; b < batches && seen < stepBatches; b++ {
		c, err := s.curvature(ctx, curved, b, v, hv, least)
		if err != nil {
			return 0, err
		}
		if c > 0 { // a batch without weight says nothing
			seen, least = seen+1, laterIterations
		}
		if c > steepest {
			steepest = c
			convert(s.direction, v)
		}
		// The next batch is likely to be curved alike, but may be otherwise.
		convert(v, s.direction)
		stray(v, 0.3*Norm(v)/math.Sqrt(float64(len(v))), rng)
	}
	if s.measured == 0 {
		s.largest = steepest
	} else if batches == 1 || l.Len() > groups+l.Free {
		// The last direction may not lead to the steepest any more: that in which all
		// knots of all curves rise stays what it is, however many curves go.
		clear(v)
		stray(v, 1, rng)
		c, err := s.curvature(ctx, curved, 0, v, hv, firstIterations)
		if err != nil {
			return 0, err
		}
		if c > steepest {
			steepest = c
			convert(s.direction, v)
		}
	}
	s.measured, s.fresh = groups, true
	if steepest > 0 {
		s.eta = s.share() / steepest
	}
	return s.eta, nil
}

// share returns what is left of a step after all that made it shorter.
func (s *stepper) share() float64 { return math.Pow(shorter, float64(s.shortened)) }

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

// curvature returns the largest eigenvalue of the bound on the Hessian of the
// mean over a batch, by power iterations that start from v and improve it.
func (s *stepper) curvature(ctx context.Context, obj Curved, batch int, v, hv []float64, least int) (float64, error) {
	var largest, before float64
	for n := 0; n < least || n < mostIterations && largest > rising*before; n++ {
		weight, err := obj.Curvature(ctx, batch, hv, v)
		if err != nil {
			return 0, err
		}
		s.weight = weight
		length, bent := Norm(v), Norm(hv)
		if length == 0 || bent == 0 || weight == 0 {
			break
		}
		if s.measured == 0 && s.typical == 0 {
			s.typical = dot(v, hv) / dot(v, v) / weight
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

// dominated reports whether one direction has more than a tenth of all curvature.
// That of a random one is their mean, more or less.
func (s *stepper) dominated() bool {
	return 10*s.largest > s.typical*float64(len(s.direction))
}

func dot(v, w []float64) float64 {
	var sum float64
	for i, x := range v {
		sum += x * w[i]
	}
	return sum
}

// doubtful reports whether the step was measured just now on less than the
// given weight of rows.
func (s *stepper) doubtful(weight float64) bool {
	fresh := s.fresh
	s.fresh = false
	return fresh && !s.given && s.weight < weight*(1-1e-9)
}

// trusted reports that the step was given, or shortened often enough.
func (s *stepper) trusted() bool { return s.given || s.shortened >= mostDoubts }

// shorten makes this step and all later ones shorter. It reports false where
// that is not to be done, or was done in vain.
func (s *stepper) shorten() bool {
	if s.given || s.shortened == mostShortened {
		return false
	}
	s.shortened++
	s.fresh = true
	s.eta *= shorter
	return true
}
