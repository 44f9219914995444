package anneal

import (
	"context"
	"slices"
)

// State is the state of a descent between two epochs, from which [Run] continues with the same bits. It can be written to
// a file as JSON.
type State struct {
	Coefficients
	Epoch    int       `json:"epoch"` // number of completed epochs
	WarmUp   int       `json:"warm_up,omitempty"`
	NullLoss float64   `json:"null_loss,omitempty"`
	Step     StepState `json:"step"`
	Trace    []Epoch   `json:"trace"`
	Status   Status    `json:"status,omitempty"`
}

// StepState is the state of the step size between two epochs.
type StepState struct {
	Eta       float64 `json:"eta"`
	Shortened int     `json:"shortened,omitempty"` // number of times that it was reduced
	Measured  int     `json:"measured,omitempty"`  // number of groups active when it was measured
	Weight    float64 `json:"weight,omitempty"`    // weight of the rows on which it was measured
	Fresh     bool    `json:"fresh,omitempty"`     // no step was taken since then
}

// Epoch is the record of one epoch.
type Epoch struct {
	Epoch  int     `json:"epoch"`  // counted from 1
	Of     int     `json:"of"`     // total number of epochs
	Groups int     `json:"groups"` // number of active groups after the epoch
	Loss   float64 `json:"loss"`   // mean of the objective before each step
	Eta    float64 `json:"eta"`    // step size

	// Alive holds the original numbers of the active groups, and Layout and Beta their coefficients. State returns the
	// state from which the descent can be resumed. These fields are set only for observers, and are valid only during the
	// call; the result of State stays valid.
	Alive  []int         `json:"-"`
	Layout Layout        `json:"-"`
	Beta   []float64     `json:"-"`
	State  func() *State `json:"-"`
}

// Status says why Run stopped.
type Status int

const (
	Completed Status = iota // all iterations were done
	Settled                 // the coefficients no longer changed; see Settings.Tolerance
	Stopped                 // Settings.Stop returned true
)

func (s Status) String() string {
	switch s {
	case Settled:
		return "settled"
	case Stopped:
		return "stopped"
	}
	return "completed"
}

// Strongest returns the k strongest groups of a state. No group of the objective may have been
// dropped yet.
func Strongest(ctx context.Context, obj Objective, s *State, r Rank, k int) ([]int, error) {
	all := residentOf(obj)
	if err := all.Load(ctx, s.Coefficients, r); err != nil {
		return nil, err
	}
	if k < all.Layout().Groups() {
		if err := all.KeepStrongest(ctx, k); err != nil {
			return nil, err
		}
	}
	c, err := all.Save(ctx)
	if err != nil || c.Groups != nil {
		return slices.Clone(c.Groups), err
	}
	groups := make([]int, all.Layout().Groups())
	for g := range groups {
		groups[g] = g
	}
	return groups, nil
}
