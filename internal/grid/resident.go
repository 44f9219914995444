package grid

import (
	"context"
	"math"
	"slices"

	"fsa/anneal"
)

// Load implements [anneal.Resident].
func (o *Objective) Load(ctx context.Context, c anneal.Coefficients, r anneal.Rank) error {
	o.rank, o.momentum = r, c.Momentum
	for _, s := range o.slices {
		for i, j := range s.original {
			s.must[i] = slices.Contains(r.Force, j)
		}
	}
	o.power = anneal.Power{Measured: c.Measured}
	if err := o.keepAs(ctx, c.Groups); err != nil {
		return err
	}
	if c.Beta == nil {
		return o.Reset(ctx, c.Free)
	}
	o.hand(c.Beta, beta)
	o.each(func(v *vectors) { clear(v.velocity) })
	if c.Velocity != nil {
		o.hand(c.Velocity, velocity)
	}
	o.power.Direction = slices.Clone(c.Direction)
	return nil
}

// each calls f for the vectors of all slices of this process, and for the free coefficients.
func (o *Objective) each(f func(v *vectors)) {
	for _, s := range o.slices {
		f(&s.vectors)
	}
	f(&o.free)
}

// Save implements [anneal.Resident].
func (o *Objective) Save(ctx context.Context) (anneal.Coefficients, error) {
	c := anneal.Coefficients{Momentum: o.momentum, Direction: o.power.Direction, Measured: o.power.Measured}
	var mine []int64
	for _, s := range o.slices {
		for _, j := range s.original {
			mine = append(mine, int64(j))
		}
	}
	groups, err := gatherAlong(ctx, o.grid.row, o.groupsOf, mine)
	if err != nil {
		return c, err
	}
	c.Groups = make([]int, len(groups))
	for i, j := range groups {
		c.Groups[i] = int(j)
	}
	if c.Beta, err = o.whole(ctx, beta); err != nil || !o.momentum {
		return c, err
	}
	c.Velocity, err = o.whole(ctx, velocity)
	return c, err
}

// Reset implements [anneal.Resident].
func (o *Objective) Reset(_ context.Context, free []float64) error {
	o.each(func(v *vectors) {
		clear(v.beta)
		clear(v.velocity)
	})
	copy(o.free.beta, free)
	return nil
}

// Undo implements [anneal.Resident].
func (o *Objective) Undo(context.Context) error {
	o.each(func(v *vectors) {
		copy(v.beta, v.trail)
		clear(v.velocity)
	})
	return nil
}

// Loss implements [anneal.Resident].
func (o *Objective) Loss(ctx context.Context, batch int) (sum, weight float64, err error) {
	return o.gradient(ctx, batch, beta)
}

// Epoch implements [anneal.Resident].
func (o *Objective) Epoch(ctx context.Context, w anneal.Walk) (anneal.Walked, error) {
	o.taken = len(o.batches)
	o.each(func(v *vectors) {
		if copy(v.trail, v.beta); o.taken > 1 {
			clear(v.trail)
		}
	})
	var total anneal.Walked
	for i := range o.batches {
		sum, weight, err := o.gradient(ctx, (w.First+i)%o.taken, beta)
		if err != nil {
			return anneal.Walked{}, err
		}
		total.Loss += sum
		total.Weight += weight
		if weight > 0 {
			o.each(func(v *vectors) { total.Moved = max(total.Moved, o.step(v, w.Eta/weight, w.Momentum)) })
		}
	}
	if total.Weight > 0 {
		total.Loss /= total.Weight
	}
	for _, s := range o.slices {
		for _, b := range s.beta {
			total.Largest = max(total.Largest, math.Abs(b))
		}
	}
	all, err := gatherAlong(ctx, o.grid.row, func(int) int { return 2 }, []float64{total.Moved, total.Largest})
	for i := 0; i < len(all); i += 2 {
		total.Moved, total.Largest = max(total.Moved, all[i]), max(total.Largest, all[i+1])
	}
	return total, err
}

// step moves coefficients along the gradient, with Nesterov's momentum, and returns the largest
// move.
func (o *Objective) step(v *vectors, rate, momentum float64) (moved float64) {
	for i, g := range v.grad {
		move := rate * g
		if o.momentum {
			v.velocity[i] = momentum*v.velocity[i] + move
			move += momentum * v.velocity[i]
		}
		v.beta[i] -= move
		if o.taken > 1 {
			v.trail[i] += v.beta[i]
		}
		moved = max(moved, math.Abs(move))
	}
	return moved
}

// Lipschitz implements [anneal.Resident].
func (o *Objective) Lipschitz(ctx context.Context) (anneal.Lipschitz, error) {
	return o.power.Measure(ctx, o, &multiplier{o: o}, make([]float64, o.layout.Len()))
}
