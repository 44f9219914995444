package anneal

import (
	"context"
	"errors"
	"math"
	"slices"
)

// ErrDiverged is returned if the loss or a coefficient became infinite or NaN.
var ErrDiverged = errors.New("anneal: the coefficients diverged: the step Eta is too large for this data")

// state is the state of Run.
type state struct {
	Settings
	obj    Resident // holds the coefficients
	groups int      // number of groups at the start
	step   stepper

	epoch   int     // present epoch, counted from 1
	loss    float64 // mean of the objective before each step of the epoch
	moved   float64 // largest change of a coefficient in the epoch
	largest float64 // largest coefficient after the epoch, without free ones, which have other units
	trace   []Epoch
	status  Status
}

// alive returns the number of active groups.
func (st *state) alive() int { return st.obj.Layout().Groups() }

// descend takes one step on every minibatch: β ← β − η·∂L/∂β. If a step size that was not given turns out too large,
// the epoch is undone and repeated with a smaller one. With several batches, earlier steps may have gone too far as
// well, so the coefficients are reset to the null model.
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

// sane reports whether the result of an epoch is plausible.
func (st *state) sane(ctx context.Context, w Walked, batches int) (bool, error) {
	switch {
	case !finite(w.Loss) || !finite(w.Moved):
		return false, nil
	case batches > 1:
		return st.step.trusted() || w.Loss <= mostNullLoss*math.Abs(st.NullLoss), nil
	case st.NullLoss > 0 && !st.step.trusted() && w.Loss > mostNullLoss*st.NullLoss:
		return false, nil // the curvature of the loss is unbounded, and larger here than where it was measured
	case !st.step.doubtful(w.Weight):
		return true, nil
	}
	// The Lipschitz constant was measured on a sample of the rows, and the other rows may contain an outlier. So check the
	// loss after the first step.
	sum, weight, err := st.obj.Loss(ctx, 0)
	return sum/weight <= w.Loss+math.Abs(w.Loss)/4, err
}

// firstBatch returns the batch with which epoch e, counted from 0, begins its cycle through the batches. The last batches
// of an epoch influence most which groups are dropped, so they must vary; the golden section makes every batch last
// equally often. The order stays cyclic, because rows may be read from a disk.
func firstBatch(e, batches int) int {
	_, part := math.Modf(float64(e) * (math.Sqrt(5) - 1) / 2)
	return int(part * float64(batches))
}

// mostNullLoss is the largest plausible loss of an epoch, as a multiple of the null loss.
const mostNullLoss = 2

// prepare sets the number of warm-up epochs and, if there are several batches and it was not given, the null loss.
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

// save returns the state after an epoch, given the coefficients.
func (st *state) save(c Coefficients) *State {
	c.Groups, c.Beta, c.Velocity, c.Direction = slices.Clone(c.Groups), slices.Clone(c.Beta), slices.Clone(c.Velocity), slices.Clone(c.Direction)
	return &State{
		Coefficients: c, Epoch: st.epoch, WarmUp: st.WarmUp, NullLoss: st.NullLoss,
		Step:  StepState{Eta: st.step.eta, Shortened: st.step.shortened, Measured: st.step.measured, Weight: st.step.weight, Fresh: st.step.fresh},
		Trace: slices.Clone(st.trace), Status: st.status,
	}
}

// restore sets everything except the coefficients.
func (st *state) restore(s *State) {
	st.epoch, st.WarmUp, st.NullLoss = s.Epoch, s.WarmUp, s.NullLoss
	st.step.eta, st.step.shortened, st.step.measured, st.step.weight, st.step.fresh = s.Step.Eta, s.Step.Shortened, s.Step.Measured, s.Step.Weight, s.Step.Fresh
	st.trace, st.status = slices.Clone(s.Trace), s.Status
}
