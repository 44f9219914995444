package anneal

import (
	"context"
	"slices"
)

// State is a descent between two epochs: all that [Run] needs to continue as if it had not
// been stopped. It can be written to a file as JSON.
type State struct {
	Coefficients
	Epoch    int       `json:"epoch"` // how many are done
	WarmUp   int       `json:"warm_up,omitempty"`
	NullLoss float64   `json:"null_loss,omitempty"`
	Step     StepState `json:"step"`
	Trace    []Epoch   `json:"trace"`
	Status   Status    `json:"status,omitempty"`
}

// StepState is the state of the step size between two epochs.
type StepState struct {
	Eta       float64 `json:"eta"`
	Shortened int     `json:"shortened,omitempty"` // how often it was found too long
	Measured  int     `json:"measured,omitempty"`  // groups alive when it was measured
	Weight    float64 `json:"weight,omitempty"`    // of the rows that it was measured on
	Fresh     bool    `json:"fresh,omitempty"`     // no step was taken since
}

// Epoch is the record of one epoch.
type Epoch struct {
	Epoch  int     `json:"epoch"`  // from 1
	Of     int     `json:"of"`     // epochs in all
	Groups int     `json:"groups"` // alive after the epoch
	Loss   float64 `json:"loss"`   // mean of the objective before each step
	Eta    float64 `json:"eta"`    // the step

	// Alive, Layout and Beta show the living groups to an observer: their
	// original numbers and their coefficients. State returns what it takes to go on
	// from here. They are valid during the call only, but what State returns is the
	// observer's to keep.
	Alive  []int         `json:"-"`
	Layout Layout        `json:"-"`
	Beta   []float64     `json:"-"`
	State  func() *State `json:"-"`
}

// Status says why Run stopped.
type Status int

const (
	Completed Status = iota // all iterations were done
	Settled                 // the coefficients came to rest before
	Stopped                 // Settings.Stop said so
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
