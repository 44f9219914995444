package anneal

import (
	"context"
	"math"
)

// stepper chooses the step size η (learning rate). A given step size is not changed. Otherwise η = 1/L, where L is the
// Lipschitz constant of the gradient by the active coefficients. L decreases as variables are dropped, so it is measured
// again whenever half of them have been dropped.
type stepper struct {
	eta       float64
	given     bool
	shortened int // number of times that the step size was reduced
	measured  int // number of active groups at the last measurement
	weight    float64
	largest   float64   // L at the first measurement
	typical   float64   // curvature along a random direction at the first measurement
	width     int       // number of coefficients at the first measurement
	fresh     bool      // no step was taken since the last measurement
	known     Lipschitz // estimate for the start, if it was given
}

const (
	shorter       = 0.25 // factor by which a step size that was too large is multiplied
	mostShortened = 40   // maximum number of reductions, to 1e-24 of the measured step size
	mostDoubts    = 10   // number of reductions after which a rising loss is no longer attributed to the step size
)

// size returns the step size. last says that no more groups will be dropped.
func (s *stepper) size(ctx context.Context, obj Resident, last bool) (float64, error) {
	l := obj.Layout()
	groups := l.Groups()
	if s.given || groups == s.measured || s.measured > 0 && 2*groups > s.measured && !last {
		return s.eta, nil
	}
	found := s.known
	if s.measured > 0 || found.Constant == 0 {
		var err error
		if found, err = obj.Lipschitz(ctx); err != nil {
			return 0, err
		}
	}
	if s.measured == 0 {
		s.largest, s.typical, s.width = found.Constant, found.Typical, l.Len()
	}
	s.measured, s.weight, s.fresh = groups, found.Weight, true
	if found.Constant > 0 {
		s.eta = s.share() / found.Constant
	}
	return s.eta, nil
}

// share returns the factor by which the measured step size was reduced.
func (s *stepper) share() float64 { return math.Pow(shorter, float64(s.shortened)) }

// dominated reports whether one direction has more than a tenth of the total curvature. The curvature along a random
// direction estimates the mean over all directions.
func (s *stepper) dominated() bool {
	return 10*s.largest > s.typical*float64(s.width)
}

// doubtful reports whether no step was taken yet with the present step size, and it was measured on rows of less than the
// given weight.
func (s *stepper) doubtful(weight float64) bool {
	fresh := s.fresh
	s.fresh = false
	return fresh && !s.given && s.weight < weight*(1-1e-9)
}

// trusted reports whether the step size was given, or was reduced so often that it cannot be too large.
func (s *stepper) trusted() bool { return s.given || s.shortened >= mostDoubts }

// shorten reduces the present step size and all later ones. It returns false if the step size was given, or was already
// reduced too often.
func (s *stepper) shorten() bool {
	if s.given || s.shortened == mostShortened {
		return false
	}
	s.shortened++
	s.fresh = true
	s.eta *= shorter
	return true
}
