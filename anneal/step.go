package anneal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// stepper chooses the step η. A step that was given stays. Otherwise η = 1/L,
// where L is the largest curvature of the mean objective on what is alive, by
// power iterations. Fewer variables are less curved, so L is measured again
// whenever half of them have gone, from where the last measurement ended: all
// later ones together cost less than the first.
type stepper struct {
	eta       float64
	given     bool
	measured  int       // groups alive at the last measurement
	direction []float64 // of largest curvature, as found then
}

const (
	firstIterations = 10 // from a random direction
	laterIterations = 4  // from the last direction
	stepBatches     = 3  // batches measured, the most curved of which counts
)

// ErrNoStep says that no step was given and none can be found.
var ErrNoStep = errors.New("anneal: Eta is not set, and the objective cannot bound its curvature")

// size returns the step to take. last says that the groups alive are the final
// ones.
func (s *stepper) size(ctx context.Context, obj Objective, l Layout, last bool) (float64, error) {
	groups := l.Groups()
	if s.given || groups == s.measured || s.measured > 0 && 2*groups > s.measured && !last {
		return s.eta, nil
	}
	curved, ok := obj.(Curved)
	if !ok {
		return 0, ErrNoStep
	}
	iterations := laterIterations
	if s.measured == 0 {
		iterations = firstIterations
		s.direction = make([]float64, l.Len())
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range s.direction {
			s.direction[i] = rng.NormFloat64()
		}
	}
	var steepest float64
	from := s.direction
	for b, seen := 0, 0; b < obj.Batches() && seen < stepBatches; b++ {
		v := slices.Clone(from)
		c, err := curvature(ctx, curved, b, v, iterations)
		if err != nil {
			return 0, err
		}
		if c > 0 { // a batch without weight says nothing
			seen++
		}
		if c > steepest {
			steepest, s.direction = c, v
		}
	}
	s.measured = groups
	if steepest > 0 {
		s.eta = 1 / steepest
	}
	return s.eta, nil
}

// curvature returns the largest eigenvalue of the bound on the Hessian of the
// mean over a batch, by power iterations that start from v and improve it.
func curvature(ctx context.Context, obj Curved, batch int, v []float64, iterations int) (float64, error) {
	hv := make([]float64, len(v))
	var largest float64
	for range iterations {
		weight, err := obj.Curvature(ctx, batch, hv, v)
		if err != nil {
			return 0, err
		}
		length, bent := Norm(v), Norm(hv)
		if length == 0 || bent == 0 || weight == 0 {
			break
		}
		largest = bent / length / weight
		if math.IsInf(largest, 0) || math.IsNaN(largest) {
			return 0, fmt.Errorf("anneal: the curvature of batch %d is %v, so no step can be chosen", batch, largest)
		}
		for i := range v {
			v[i] = hv[i] / bent
		}
	}
	return largest, nil
}
