package anneal

import (
	"context"
	"math"
	"slices"
)

// local holds the coefficients of an Objective that is not [Resident].
type local struct {
	Objective
	Rank
	must []bool // whether each active group is forced; nil if none is

	alive    []int // original number of each active group; nil while no group was dropped
	layout   Layout
	beta     []float64
	grad     []float64
	trail    []float64 // β before the epoch or, with several batches, the sum of β over the steps of the epoch
	velocity []float64 // decaying sum of earlier moves; nil without momentum
	batches  int       // number of batches in the last epoch
	power    Power
	project  Projection // nil without constraints
	free     []float64  // coefficients of a group before the projection
}

var _ Resident = (*local)(nil)

// Local returns an objective whose coefficients are stored in this process, wherever its data are.
func Local(obj Objective) Resident { return &local{Objective: obj} }

// residentOf returns the objective itself if it is [Resident], and otherwise an objective that stores the coefficients.
func residentOf(obj Objective) Resident {
	if r, ok := obj.(Resident); ok {
		return r
	}
	return &local{Objective: obj}
}

// Load implements [Resident].
func (c *local) Load(ctx context.Context, from Coefficients, r Rank) error {
	groups := c.Objective.Layout().Groups()
	c.Rank = r
	if len(r.Force) > 0 {
		c.must = make([]bool, groups)
		for _, j := range r.Force {
			c.must[j] = true
		}
	}
	c.layout = c.Objective.Layout()
	c.allocate(from.Momentum)
	c.power.Measured = from.Measured
	if from.Groups != nil && len(from.Groups) < groups {
		if err := c.keep(ctx, slices.Clone(from.Groups)); err != nil {
			return err
		}
	}
	if from.Beta == nil {
		return c.Reset(ctx, from.Free)
	}
	copy(c.beta, from.Beta)
	copy(c.velocity, from.Velocity)
	c.power.Direction = slices.Clone(from.Direction)
	return nil
}

// allocate allocates the vectors, with one number per coefficient.
func (c *local) allocate(momentum bool) {
	n := c.layout.Len()
	c.beta, c.grad, c.trail = make([]float64, n), make([]float64, n), make([]float64, n)
	if momentum {
		c.velocity = make([]float64, n)
	}
}

// Save implements [Resident].
func (c *local) Save(context.Context) (Coefficients, error) {
	return Coefficients{
		Groups: c.originals(), Beta: c.beta, Momentum: c.velocity != nil, Velocity: c.velocity,
		Direction: c.power.Direction, Measured: c.power.Measured,
	}, nil
}

// Reset implements [Resident].
func (c *local) Reset(_ context.Context, free []float64) error {
	clear(c.velocity)
	clear(c.beta)
	copy(c.beta[len(c.beta)-c.layout.Free:], free)
	return nil
}

// Undo implements [Resident].
func (c *local) Undo(context.Context) error {
	clear(c.velocity)
	copy(c.beta, c.trail)
	return nil
}

// Loss implements [Resident].
func (c *local) Loss(ctx context.Context, batch int) (sum, weight float64, err error) {
	return c.Eval(ctx, batch, c.grad, c.beta)
}

// Epoch implements [Resident].
func (c *local) Epoch(ctx context.Context, w Walk) (Walked, error) {
	c.batches = c.Batches()
	copy(c.trail, c.beta)
	if c.batches > 1 {
		clear(c.trail)
	}
	var mean mean
	moved := 0.0
	for i := range c.batches {
		sum, weight, err := c.Eval(ctx, (w.First+i)%c.batches, c.grad, c.beta)
		if err != nil {
			return Walked{}, err
		}
		mean.add(sum, weight)
		if weight > 0 {
			moved = max(moved, c.update(w.Eta/weight, w.Momentum))
		}
	}
	largest := 0.0
	for _, b := range c.beta[:len(c.beta)-c.layout.Free] {
		largest = max(largest, math.Abs(b))
	}
	return Walked{Loss: mean.value(), Weight: mean.weight, Moved: moved, Largest: largest}, nil
}

// update takes a gradient step with Nesterov's momentum and returns the largest change of a coefficient. The velocity is
// a sum of moves, not of gradients, so that a larger step size does not scale past moves.
func (c *local) update(rate, momentum float64) (moved float64) {
	if c.project != nil {
		return c.updateProjected(rate, momentum)
	}
	for i, g := range c.grad {
		move := rate * g
		if c.velocity != nil {
			c.velocity[i] = momentum*c.velocity[i] + move
			move += momentum * c.velocity[i]
		}
		c.beta[i] -= move
		if c.batches > 1 {
			c.trail[i] += c.beta[i]
		}
		moved = max(moved, math.Abs(move))
	}
	return moved
}

// Lipschitz implements [Resident].
func (c *local) Lipschitz(ctx context.Context) (Lipschitz, error) {
	return c.power.measure(ctx, c.Objective, c.trail, c.grad)
}

// KeepStrongest implements [Resident].
func (c *local) KeepStrongest(ctx context.Context, m int) error {
	return c.keep(ctx, c.strongest(m))
}

// strongest returns the m strongest active groups, ascending, and breaks ties by index. It always includes the forced
// groups. With minibatches it compares the mean of β over the epoch, which depends on all rows; the last β is as noisy
// as the last few batches.
func (c *local) strongest(m int) []int {
	// The memory of the gradient and of the trail can be reused. A group may be empty.
	n := c.layout.Groups()
	norms := slices.Grow(c.grad[:0], n)[:n]
	beta := c.beta
	if c.batches > 1 {
		beta = c.trail
	}
	for j := range norms {
		norms[j] = strength(c.layout.Of(beta, j))
		if c.Weight != nil {
			norms[j] *= c.Weight(c.original(j))
		}
		// The norm may overflow, but must stay below that of a forced group.
		norms[j] = min(norms[j], math.MaxFloat64)
		if c.must != nil && c.must[j] {
			norms[j] = math.Inf(1)
		}
	}
	if c.Raise != nil {
		c.Raise(norms, c.originals())
	}
	limit := NthLargest(append(c.trail[:0], norms...), m)
	equal := m
	for _, v := range norms {
		if v > limit {
			equal--
		}
	}
	keep := make([]int, 0, m)
	for j, v := range norms {
		if v > limit {
			keep = append(keep, j)
		} else if v == limit && equal > 0 {
			keep = append(keep, j)
			equal--
		}
	}
	return keep
}

// keep drops every active group that is not listed.
func (c *local) keep(ctx context.Context, groups []int) error {
	if err := c.Keep(ctx, groups); err != nil {
		return err
	}
	l := c.layout
	c.layout = c.Objective.Layout()
	c.beta = compact(l, c.beta, groups)
	c.trail, c.grad = c.trail[:len(c.beta)], c.grad[:len(c.beta)]
	if c.velocity != nil {
		c.velocity = compact(l, c.velocity, groups)
	}
	if c.power.Direction != nil {
		c.power.Direction = compact(l, c.power.Direction, groups)
	}
	for to, from := range groups {
		if c.must != nil {
			c.must[to] = c.must[from]
		}
		groups[to] = c.original(from)
	}
	c.alive = groups
	return nil
}

// original returns the original number of active group j.
func (c *local) original(j int) int {
	if c.alive == nil {
		return j
	}
	return c.alive[j]
}

// originals returns the original numbers of all active groups.
func (c *local) originals() []int {
	if c.alive == nil {
		c.alive = make([]int, c.layout.Groups())
		for j := range c.alive {
			c.alive[j] = j
		}
	}
	return c.alive
}
