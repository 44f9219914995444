package anneal

import (
	"context"
	"errors"
	"math"
	"slices"
)

// ErrDiverged says that the loss or a coefficient became infinite or NaN.
var ErrDiverged = errors.New("anneal: the coefficients diverged: the step Eta is too large for this data")

// state is what changes while Run works.
type state struct {
	Settings
	obj    Resident // holds the coefficients
	groups int      // at the start
	step   stepper

	epoch   int     // that is worked on, from 1
	loss    float64 // mean of the objective before its steps
	moved   float64 // the largest move of a coefficient in it
	largest float64 // coefficient after it; free ones have other units and do not count
	trace   []Epoch
	status  Status
}

// alive returns how many groups are.
func (st *state) alive() int { return st.obj.Layout().Groups() }

// descend goes once through the minibatches: β ← β − η·∂L/∂β for each. A step that
// was chosen and turns out too long is taken back and tried again, shorter. Where
// there are several batches, earlier ones may have gone too far already: all begins
// again from the null model.
func (st *state) descend(ctx context.Context) error {
	for {
		eta, err := st.step.size(ctx, st.obj, st.alive() == st.K)
		if err != nil {
			return err
		}
		batches := st.obj.Batches()
		walked, err := st.obj.Epoch(ctx, Walk{First: firstBatch(st.epoch-1, batches), Eta: eta, Momentum: st.Momentum})
		if err != nil {
			return err
		}
		st.loss, st.moved, st.largest = walked.Loss, walked.Moved, walked.Largest
		sane, err := st.sane(ctx, walked, batches)
		if err != nil || sane {
			return err
		}
		if !st.step.shorten() {
			return ErrDiverged
		}
		if batches == 1 {
			err = st.obj.Undo(ctx)
		} else {
			err = st.obj.Reset(ctx, st.Free)
		}
		if err != nil {
			return err
		}
	}
}

// sane reports whether what an epoch led to makes sense.
func (st *state) sane(ctx context.Context, w Walked, batches int) (bool, error) {
	switch {
	case !finite(w.Loss) || !finite(w.Moved):
		return false, nil
	case batches > 1:
		return st.step.trusted() || w.Loss <= mostNullLoss*math.Abs(st.NullLoss), nil
	case st.NullLoss > 0 && !st.step.trusted() && w.Loss > mostNullLoss*st.NullLoss:
		return false, nil // the curvature has no bound, and this is beyond what was measured
	case !st.step.doubtful(w.Weight):
		return true, nil
	}
	// The Lipschitz constant was measured on a part of the rows, and an outlier may
	// hide in the others: see what the first step by it does.
	sum, weight, err := st.obj.Loss(ctx, 0)
	return sum/weight <= w.Loss+math.Abs(w.Loss)/4, err
}

// firstBatch returns where epoch e, from 0, begins to go round the batches. The
// last ones have the last word on what is dropped, so they have to change; the
// golden section brings each there equally often. Neighbours stay neighbours,
// because rows may have to come from a disk.
func firstBatch(e, batches int) int {
	_, part := math.Modf(float64(e) * (math.Sqrt(5) - 1) / 2)
	return int(part * float64(batches))
}

// mostNullLoss is how many times the null loss the loss of an epoch may be.
const mostNullLoss = 2

// prepare finds out what has to be known before the first step: how long to warm
// up, and the null loss, to compare others with, where there are several batches
// and it was not given.
func (st *state) prepare(ctx context.Context) error {
	if st.FactorWarmUp > 0 && !st.step.given {
		if _, err := st.step.size(ctx, st.obj, false); err != nil {
			return err
		}
		if batches := st.obj.Batches(); st.step.dominated() {
			st.WarmUp = max(st.WarmUp, (st.FactorWarmUp+batches-1)/batches-1)
		}
	}
	if st.NullLoss != 0 || st.obj.Batches() == 1 || st.step.given {
		return nil
	}
	var mean mean
	for b := range st.obj.Batches() {
		sum, weight, err := st.obj.Loss(ctx, b)
		if err != nil {
			return err
		}
		mean.add(sum, weight)
	}
	st.NullLoss = mean.value()
	return nil
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
