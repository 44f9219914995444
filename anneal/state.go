package anneal

import (
	"context"
	"slices"
)

// State is a descent between two epochs: all that [Run] needs to go on with it, as if
// it had never been stopped. It can be written to a file as JSON.
type State struct {
	Coefficients
	Epoch    int       `json:"epoch"` // how many are done
	WarmUp   int       `json:"warm_up,omitempty"`
	NullLoss float64   `json:"null_loss,omitempty"`
	Step     StepState `json:"step"`
	Trace    []Epoch   `json:"trace"`
	Status   Status    `json:"status,omitempty"`
}

// StepState is what is known of the step between two epochs.
type StepState struct {
	Eta       float64 `json:"eta"`
	Shortened int     `json:"shortened,omitempty"` // how often it was found too long
	Measured  int     `json:"measured,omitempty"`  // groups alive when it was measured
	Weight    float64 `json:"weight,omitempty"`    // of the rows that it was measured on
	Fresh     bool    `json:"fresh,omitempty"`     // no step was taken since
}

// Strongest returns the k strongest groups that are alive in a state of an objective of
// which nothing was dropped yet.
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

// save returns the state after an epoch that left the given coefficients.
func (st *state) save(c Coefficients) *State {
	c.Groups, c.Beta, c.Velocity, c.Direction = slices.Clone(c.Groups), slices.Clone(c.Beta), slices.Clone(c.Velocity), slices.Clone(c.Direction)
	return &State{
		Coefficients: c, Epoch: st.epoch, WarmUp: st.WarmUp, NullLoss: st.NullLoss,
		Step:  StepState{Eta: st.step.eta, Shortened: st.step.shortened, Measured: st.step.measured, Weight: st.step.weight, Fresh: st.step.fresh},
		Trace: slices.Clone(st.trace), Status: st.status,
	}
}

// restore sets all but the coefficients.
func (st *state) restore(s *State) {
	st.epoch, st.WarmUp, st.NullLoss = s.Epoch, s.WarmUp, s.NullLoss
	st.step.eta, st.step.shortened, st.step.measured, st.step.weight, st.step.fresh = s.Step.Eta, s.Step.Shortened, s.Step.Measured, s.Step.Weight, s.Step.Fresh
	st.trace, st.status = slices.Clone(s.Trace), s.Status
}
