package anneal

import (
	"errors"
	"fmt"
	"math"
)

// Settings are the settings of a descent. The zero value of every field except K is a good default.
type Settings struct {
	// K is the number of groups to keep.
	K int
	// Mu is μ of the inverse schedule; 0 means 100. A larger value drops variables earlier.
	Mu float64
	// Schedule replaces the inverse schedule.
	Schedule Schedule
	// Iterations is the number of epochs, N^iter; 0 means 500.
	Iterations int
	// WarmUp is a number of epochs before the first group is dropped.
	WarmUp int
	// FactorWarmUp is the smallest number of steps before the first group is dropped, if one
	// direction, such as a factor that all variables share, has most of the curvature and hides
	// the others from the first steps. It extends WarmUp. 0 means that this is not checked.
	FactorWarmUp int
	// Eta is the step size (learning rate) on the gradient of the mean. 0 means 1/L, where L is
	// the Lipschitz constant of that gradient, which is measured again as variables are dropped.
	Eta float64
	// Lipschitz is an estimate of L at the start, if it was measured before; the zero value means
	// none.
	Lipschitz Lipschitz
	// Momentum is Nesterov's: the share of the last move that is added to the next. 0 means 0.9,
	// and None no momentum.
	Momentum float64
	// Free holds the initial values of the free coefficients; nil means 0.
	Free []float64
	// NullLoss is the mean loss of the null model, in which all other coefficients are zero. Steps
	// on batches are checked against it. 0 means that it is unknown and has to be computed.
	NullLoss float64
	// Weight returns the factor by which the norm of a group is multiplied when groups are
	// compared; nil means 1 for all.
	Weight func(group int) float64
	// Raise may change the strengths by which the given groups, ascending, are compared, such as raise
	// those of groups that another group needs. Nil changes none.
	Raise func(strength []float64, groups []int)
	// Force lists groups that are always kept. They count towards K.
	Force []int
	// Project keeps constraints: it is called for every group after every step. Nil means none.
	Project Projection
	// Tolerance stops early, once only K groups are left and no coefficient changes by more than
	// Tolerance times the largest coefficient; 0 means never.
	Tolerance float64
	// Observe is called after every epoch.
	Observe func(Epoch)
	// Stop is called after every epoch. If it returns true, the K strongest groups are kept
	// unchanged and the descent ends. Nil means never.
	Stop func() bool
	// Resume is a state of an earlier descent of the same objective with the same settings, from which to continue; nil
	// starts a new descent.
	Resume *State
}

// None is the Momentum of plain gradient descent.
const None = -1

// Defaults of the fields of [Settings].
const (
	DefaultMu         = 100
	DefaultIterations = 500
	DefaultMomentum   = 0.9
)

// Result is the result of annealing.
type Result struct {
	Groups []int     // remaining groups, ascending
	Layout Layout    // layout of their coefficients
	Beta   []float64 // coefficients
	Trace  []Epoch   // one record per epoch
	Status Status
}

// Group returns the coefficients of the i-th remaining group.
func (r *Result) Group(i int) []float64 {
	return r.Layout.Of(r.Beta, i)
}

// Free returns the free coefficients.
func (r *Result) Free() []float64 { return r.Beta[len(r.Beta)-r.Layout.Free:] }

// withDefaults checks the settings and sets the defaults.
func (s Settings) withDefaults(obj Objective) (Settings, error) {
	groups := obj.Layout().Groups()
	if s.K < 1 || s.K > groups {
		return s, fmt.Errorf("anneal: K = %d of %d groups: it must be between 1 and their number", s.K, groups)
	}
	if len(s.Force) > s.K {
		return s, fmt.Errorf("anneal: %d groups are forced, but only K = %d may stay", len(s.Force), s.K)
	}
	if s.Free != nil && len(s.Free) != obj.Layout().Free {
		return s, fmt.Errorf("anneal: %d values for %d free coefficients", len(s.Free), obj.Layout().Free)
	}
	for _, j := range s.Force {
		if j < 0 || j >= groups {
			return s, fmt.Errorf("anneal: forced group %d of %d", j, groups)
		}
	}
	for _, v := range []float64{s.Mu, s.Eta, s.Tolerance} {
		if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return s, errors.New("anneal: Mu, Eta and Tolerance must be finite and not negative")
		}
	}
	if s.Momentum >= 1 || math.IsNaN(s.Momentum) {
		return s, fmt.Errorf("anneal: Momentum = %v: it must be below 1", s.Momentum)
	}
	if s.Iterations < 0 || s.WarmUp < 0 || s.FactorWarmUp < 0 {
		return s, errors.New("anneal: Iterations, WarmUp and FactorWarmUp must not be negative")
	}
	if r := s.Resume; r != nil && (len(r.Groups) > groups || len(r.Trace) != r.Epoch || r.Epoch < 1) {
		return s, errors.New("anneal: the state to continue from belongs to another objective")
	}
	if s.Iterations == 0 {
		s.Iterations = DefaultIterations
	}
	if s.Momentum == 0 {
		s.Momentum = DefaultMomentum
	}
	if s.Schedule == nil {
		if s.Mu == 0 {
			s.Mu = DefaultMu
		}
		s.Schedule = Inverse(s.Mu)
	}
	return s, nil
}

// epochs returns the total number of epochs.
func (s *Settings) epochs() int { return s.WarmUp + s.Iterations }

// staying returns the number of groups to keep after epoch e, given the number now of active groups.
func (s *Settings) staying(e, groups, now int) int {
	if e <= s.WarmUp {
		return now
	}
	e -= s.WarmUp
	if e == s.Iterations {
		return min(s.K, now) // the descent ends with K groups, whatever the schedule says
	}
	return bounded(s.Schedule(e, s.Iterations, groups, s.K), s.K, now)
}
