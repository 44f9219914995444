package anneal

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
)

// ErrDiverged says that the loss or a coefficient left the finite numbers.
var ErrDiverged = errors.New("anneal: the coefficients diverged: the step Eta is too large for this data")

// descend goes once through the batches: β ← β − η·∂L/∂β for each. A step that
// was chosen and turns out too long is taken back and tried again, shorter:
// curvature is measured on a part of the data, and outliers may hide elsewhere.
func (st *state) descend(ctx context.Context) error {
	for {
		eta, err := st.step.size(ctx, st.obj, st.layout, len(st.alive) == st.K)
		if err != nil {
			return err
		}
		loss, err := st.walk(ctx, eta)
		if err != nil {
			return err
		}
		st.epoch = Epoch{Eta: eta, Loss: loss}
		if !st.lost(loss) {
			if math.IsNaN(st.first) {
				st.first = loss
			}
			return nil
		}
		if !st.step.shorten() {
			return ErrDiverged
		}
		copy(st.beta, st.last)
		clear(st.speed)
	}
}

// walk takes a step on every batch and returns the mean of the losses before
// each. What β was before is kept in last: with one batch before the step whose
// loss is not known yet, with several before the epoch.
func (st *state) walk(ctx context.Context, eta float64) (float64, error) {
	order := []int{0}
	if batches := st.obj.Batches(); batches > 1 {
		order = rand.New(rand.NewPCG(st.Seed, uint64(len(st.trace)))).Perm(batches)
		copy(st.last, st.beta)
	}
	var mean mean
	st.moved = 0
	for _, b := range order {
		sum, weight, err := st.obj.Eval(ctx, b, st.grad, st.beta)
		if err != nil {
			return 0, err
		}
		mean.add(sum, weight)
		if len(order) == 1 {
			if st.lost(mean.value()) {
				break
			}
			copy(st.last, st.beta)
		}
		if weight > 0 {
			st.update(eta, weight)
		}
	}
	return mean.value(), nil
}

// look finds the loss to compare others with, that of no variables. With one
// batch it is that of the first epoch; with several, where the first epoch
// moves, it takes a look at all of them.
func (st *state) look(ctx context.Context) error {
	if st.obj.Batches() == 1 || st.step.given {
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
	st.first = mean.value()
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

// lost reports that the coefficients have left all reason: the loss is not a
// number or, where the step was chosen, far above that of no variables.
func (st *state) lost(loss float64) bool {
	far := 4.0 // dropping variables may lift the loss for a while
	if st.obj.Batches() > 1 {
		far = 1.5 // but not the mean over an epoch
	}
	if math.IsNaN(loss) || math.IsInf(loss, 0) || math.IsNaN(st.moved) || math.IsInf(st.moved, 0) {
		return true
	}
	return loss > far*math.Abs(st.first) && !st.step.given
}

// update moves β along the gradient of the mean, and what is left of earlier
// moves with it (Nesterov's momentum). Moves are kept, not gradients, so that a
// longer step does not lengthen what is past.
func (st *state) update(eta, weight float64) {
	for i, g := range st.grad {
		move := eta * g / weight
		if st.speed != nil {
			st.speed[i] = st.Momentum*st.speed[i] + move
			move += st.Momentum * st.speed[i]
		}
		st.beta[i] -= move
		st.moved = max(st.moved, math.Abs(move))
	}
}
