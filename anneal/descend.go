package anneal

import (
	"context"
	"errors"
	"math"
)

// ErrDiverged says that the loss or a coefficient left the finite numbers.
var ErrDiverged = errors.New("anneal: the coefficients diverged: the step Eta is too large for this data")

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

// mostNullLoss is how many times the null loss the loss of an epoch of several
// batches may be.
const mostNullLoss = 2

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

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

// mean is a weighted mean; that of nothing is 0.
type mean struct{ sum, weight float64 }

func (m *mean) add(sum, weight float64) {
	m.sum += sum
	m.weight += weight
}

func (m *mean) value() float64 {
	if m.weight == 0 {
		return 0
	}
	return m.sum / m.weight
}
