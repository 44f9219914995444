package anneal

import (
	"context"
	"math"
)

// stepper chooses the step η, the learning rate. A step that was given stays.
// Otherwise η = 1/L, where L is the Lipschitz constant of the gradient on what is
// alive. Fewer variables are less curved, so L is measured again whenever half of
// them have gone.
type stepper struct {
	eta       float64
	given     bool
	shortened int // how often the step was found too long
	measured  int // groups alive at the last measurement
	weight    float64
	largest   float64   // L at the first measurement,
	typical   float64   // and along a random direction
	width     int       // coefficients then
	fresh     bool      // no step was taken since
	known     Lipschitz // at the start
}

const (
	shorter       = 0.25 // what a step that was too long is multiplied by
	mostShortened = 40   // times, to 1e-24 of what was measured
	mostDoubts    = 10   // shortened so often, it is not the step
)

// size returns the step to take. Last says that the groups alive are the final
// ones.
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

// share returns what is left of a step after all that made it shorter.
func (s *stepper) share() float64 { return math.Pow(shorter, float64(s.shortened)) }

// dominated reports whether one direction has more than a tenth of all curvature.
// That of a random one is their mean, more or less.
func (s *stepper) dominated() bool {
	return 10*s.largest > s.typical*float64(s.width)
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
