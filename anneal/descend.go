package anneal

import (
	"context"
	"errors"
	"math"
)

// ErrDiverged says that the loss or a coefficient left the finite numbers.
var ErrDiverged = errors.New("anneal: the coefficients diverged: the step Eta is too large for this data")

// descend goes once through the batches: β ← β − η·∂L/∂β for each. A step that
// was chosen and turns out too long is taken back and tried again, shorter. Where
// there are several batches, earlier ones may have gone too far already: all begins
// again from no variables.
func (st *state) descend(ctx context.Context) error {
	for {
		eta, err := st.step.size(ctx, st.obj, st.layout, st.layout.Groups() == st.K, st.trail, st.grad)
		if err != nil {
			return err
		}
		copy(st.trail, st.beta)
		loss, sane, err := st.walk(ctx, eta)
		if err != nil {
			return err
		}
		st.epoch = Epoch{Eta: eta, Loss: loss}
		if sane {
			return nil
		}
		if !st.step.shorten() {
			return ErrDiverged
		}
		if clear(st.speed); st.batches == 1 {
			copy(st.beta, st.trail)
			continue
		}
		clear(st.beta)
		copy(st.beta[len(st.beta)-st.layout.Free:], st.Free)
	}
}

// walk takes a step on every batch. It returns the mean of the losses before
// each, and whether the result makes sense.
func (st *state) walk(ctx context.Context, eta float64) (loss float64, sane bool, err error) {
	st.batches = st.obj.Batches()
	var mean mean
	st.moved = 0
	if st.batches > 1 {
		clear(st.trail)
	}
	first := firstBatch(len(st.trace), st.batches)
	for i := range st.batches {
		sum, weight, err := st.obj.Eval(ctx, (first+i)%st.batches, st.grad, st.beta)
		if err != nil {
			return 0, false, err
		}
		mean.add(sum, weight)
		if weight > 0 {
			st.update(eta, weight)
		}
	}
	loss = mean.value()
	if !finite(loss) || !finite(st.moved) {
		return loss, false, nil
	}
	if st.batches > 1 {
		return loss, st.step.trusted() || loss <= far*math.Abs(st.Nothing), nil
	}
	if !st.step.doubtful(mean.weight) {
		return loss, true, nil
	}
	// Curvature was measured on a part of the rows, and an outlier may hide in
	// the others: see what the first step by it does.
	sum, weight, err := st.obj.Eval(ctx, 0, st.grad, st.beta)
	return loss, sum/weight <= loss+math.Abs(loss)/4, err
}

// firstBatch returns where epoch e, from 0, begins to go round the batches. The
// last ones have the last word on what is dropped, so they have to change; the
// golden section brings each there equally often. Neighbours stay neighbours,
// because rows may have to come from a disk.
func firstBatch(e, batches int) int {
	_, part := math.Modf(float64(e) * (math.Sqrt(5) - 1) / 2)
	return int(part * float64(batches))
}

// far is how much larger than that of no variables the loss of an epoch of
// several batches may be.
const far = 2

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// look finds out what has to be known before the first step: how patient to be,
// and the loss of no variables, to compare others with, where there are several
// batches and it was not given.
func (st *state) look(ctx context.Context) error {
	if st.Patience > 0 && !st.step.given {
		if _, err := st.step.size(ctx, st.obj, st.layout, false, st.trail, st.grad); err != nil {
			return err
		}
		if batches := st.obj.Batches(); st.step.dominated() {
			st.WarmUp = max(st.WarmUp, (st.Patience+batches-1)/batches-1)
		}
	}
	if st.Nothing != 0 || st.obj.Batches() == 1 || st.step.given {
		return nil
	}
	var mean mean
	for b := range st.obj.Batches() {
		sum, weight, err := st.obj.Eval(ctx, b, st.grad, st.beta)
		if err != nil {
			return err
		}
		mean.add(sum, weight)
	}
	st.Nothing = mean.value()
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

// update moves β along the gradient of the mean, and what is left of earlier
// moves with it (Nesterov's momentum). Moves are kept, not gradients, so that a
// longer step does not lengthen what is past.
func (st *state) update(eta, weight float64) {
	rate, moved := eta/weight, st.moved
	for i, g := range st.grad {
		move := rate * g
		if st.speed != nil {
			st.speed[i] = st.Momentum*st.speed[i] + move
			move += st.Momentum * st.speed[i]
		}
		st.beta[i] -= move
		if st.batches > 1 {
			st.trail[i] += st.beta[i]
		}
		moved = max(moved, math.Abs(move))
	}
	st.moved = moved
}
