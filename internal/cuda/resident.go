package cuda

import (
	"context"
	"math"
	"slices"

	"fsa/anneal"
)

// Load implements [anneal.Resident].
func (o *Objective) Load(ctx context.Context, c anneal.Coefficients, r anneal.Rank) error {
	o.d.Lock()
	defer o.d.Unlock()
	o.momentum = c.Momentum
	rank := make([]float64, o.groups)
	for j := range rank {
		if rank[j] = 1; r.Weight != nil {
			rank[j] = r.Weight(o.original(j))
		}
	}
	for _, j := range r.Force {
		rank[j] = -1
	}
	o.ranks = rank
	if err := o.d.upload(o.now.rank, bytesOf(rank)); err != nil {
		return err
	}
	o.power = anneal.Power{Measured: c.Measured}
	if c.Groups != nil && len(c.Groups) < o.groups {
		if err := o.keepListed(c.Groups); err != nil {
			return err
		}
	}
	if c.Beta == nil {
		return o.reset(c.Free)
	}
	o.scaled = false
	o.power.Direction = slices.Clone(c.Direction)
	if err := o.d.upload(o.now.beta, bytesOf(o.toDevice(c.Beta))); err != nil {
		return err
	}
	if c.Velocity != nil {
		return o.d.upload(o.now.velocity, bytesOf(o.toDevice(c.Velocity)))
	}
	return o.d.zero(o.now.velocity, int64(8*o.layout.Len()))
}

// Save implements [anneal.Resident].
func (o *Objective) Save(context.Context) (anneal.Coefficients, error) {
	o.d.Lock()
	defer o.d.Unlock()
	n := o.layout.Len()
	c := anneal.Coefficients{Groups: o.originals(), Beta: make([]float64, n), Momentum: o.momentum, Direction: o.power.Direction, Measured: o.power.Measured}
	if err := o.d.download(bytesOf(c.Beta), o.now.beta); err != nil {
		return c, err
	}
	if o.fromDevice(c.Beta); !o.momentum {
		return c, nil
	}
	c.Velocity = make([]float64, n)
	err := o.d.download(bytesOf(c.Velocity), o.now.velocity)
	o.fromDevice(c.Velocity)
	return c, err
}

// Reset implements [anneal.Resident].
func (o *Objective) Reset(_ context.Context, free []float64) error {
	o.d.Lock()
	defer o.d.Unlock()
	return o.reset(free)
}

func (o *Objective) reset(free []float64) error {
	o.scaled = false
	n := o.layout.Len()
	for _, p := range []pointer{o.now.beta, o.now.velocity} {
		if err := o.d.zero(p, int64(8*n)); err != nil {
			return err
		}
	}
	return o.d.upload(o.now.beta+pointer(8*(n-o.free)), bytesOf(free))
}

// Undo implements [anneal.Resident].
func (o *Objective) Undo(context.Context) error {
	o.d.Lock()
	defer o.d.Unlock()
	o.scaled = false
	bytes := int64(8 * o.layout.Len())
	if err := o.d.zero(o.now.velocity, bytes); err != nil {
		return err
	}
	return o.d.move(o.now.beta, o.trail, bytes)
}

// Loss implements [anneal.Resident].
func (o *Objective) Loss(ctx context.Context, batch int) (sum, weight float64, err error) {
	o.d.Lock()
	defer o.d.Unlock()
	if err := o.ready(ctx); err != nil {
		return 0, 0, err
	}
	b := o.batches[batch]
	o.scaled = false
	if err := o.begin(); err != nil {
		return 0, 0, err
	}
	if err := o.update(updateArgs{Beta: o.now.beta}, b.weight, nil); err != nil {
		return 0, 0, err
	}
	o.scaled = true
	if _, err := o.run(ctx, b.first, b.rows, 1, o.kind); err != nil {
		return 0, 0, err
	}
	t, err := o.told()
	return t.sum, b.weight, err
}

// Epoch implements [anneal.Resident].
func (o *Objective) Epoch(ctx context.Context, w anneal.Walk) (anneal.Walked, error) {
	o.d.Lock()
	defer o.d.Unlock()
	if err := o.ready(ctx); err != nil {
		return anneal.Walked{}, err
	}
	if err := o.scale(); err != nil {
		return anneal.Walked{}, err
	}
	if err := o.begin(); err != nil {
		return anneal.Walked{}, err
	}
	o.taken = len(o.batches)
	bytes, flags, err := int64(8*o.layout.Len()), int32(updateStep), error(nil)
	if o.taken > 1 {
		flags |= updateTrail
		err = o.d.zero(o.trail, bytes)
	} else {
		err = o.d.move(o.trail, o.now.beta, bytes)
	}
	if err != nil {
		return anneal.Walked{}, err
	}
	total := 0.0
	for _, b := range o.batches {
		total += b.weight
	}
	t, err := o.steps(ctx, w, flags)
	if total > 0 {
		t.sum /= total
	}
	return anneal.Walked{Loss: t.sum, Weight: total, Moved: t.moved, Largest: t.largest}, err
}

// steps takes a step on every batch, and waits for the result.
func (o *Objective) steps(ctx context.Context, w anneal.Walk, flags int32) (told, error) {
	if o.work.short.kernel != "" && len(o.batches) > 1 {
		return o.shortEpoch(w, flags)
	}
	if err := o.d.together(func() error { return o.walk(ctx, w, flags) }); err != nil {
		return told{}, err
	}
	return o.told()
}

// walk takes a step on every batch that has a weight.
func (o *Objective) walk(ctx context.Context, w anneal.Walk, flags int32) error {
	for i := range o.batches {
		if i%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b := &o.batches[(w.First+i)%len(o.batches)]
		if b.weight == 0 {
			continue
		}
		if err := o.step(ctx, b, w.Eta/b.weight, w.Momentum, flags); err != nil {
			return err
		}
	}
	return nil
}

// step takes a step on a batch.
func (o *Objective) step(ctx context.Context, b *batch, rate, momentum float64, flags int32) error {
	passPlan, err := o.run(ctx, b.first, b.rows, 1, o.kind)
	if err != nil {
		return err
	}
	a := updateArgs{Beta: o.now.beta, Rate: rate, Momentum: momentum, Flags: flags}
	if o.momentum {
		a.Velocity = o.now.velocity
	}
	return o.update(a, b.weight, passPlan)
}

// Lipschitz implements [anneal.Resident].
func (o *Objective) Lipschitz(ctx context.Context) (anneal.Lipschitz, error) {
	o.d.Lock()
	defer o.d.Unlock()
	if err := o.ready(ctx); err != nil {
		return anneal.Lipschitz{}, err
	}
	return o.power.Measure(ctx, o, &multiplier{o: o}, make([]float64, o.layout.Len()))
}

// multiplier multiplies a vector by the Hessian bound on the device.
type multiplier struct {
	o    *Objective
	sums []float64
	norm float64
}

// SetVector implements [anneal.HessianMultiplier].
func (b *multiplier) SetVector(v []float64) error {
	return b.o.d.upload(b.o.direction, bytesOf(b.o.toDevice(v)))
}

// Vector implements [anneal.HessianMultiplier].
func (b *multiplier) Vector(v []float64) error {
	err := b.o.d.download(bytesOf(v), b.o.direction)
	b.o.fromDevice(v)
	return err
}

// Multiply implements [anneal.HessianMultiplier].
func (b *multiplier) Multiply(ctx context.Context, batch int) (anneal.HessianProduct, error) {
	o := b.o
	if err := ctx.Err(); err != nil {
		return anneal.HessianProduct{}, err
	}
	at := o.batches[batch]
	s := at.sample
	if err := o.bendOrEval(ctx, at.first, s.rows, s.every, kindBend, s.weight); err != nil {
		return anneal.HessianProduct{}, err
	}
	blocks := max(min((o.layout.Len()+255)/256, o.work.updates), 1)
	sums := o.work.loss + pointer(8*o.work.losses) // the statistics of an update are not needed here
	if err := o.d.launch("vector", "lengths", shape{grid: [3]int{blocks}, block: 256}, &powerArgs{V: o.direction, HV: o.grad, Sums: sums, Count: int64(o.layout.Len())}); err != nil {
		return anneal.HessianProduct{}, err
	}
	b.sums = slices.Grow(b.sums[:0], 3*blocks)[:3*blocks]
	if err := o.d.download(bytesOf(b.sums), sums); err != nil {
		return anneal.HessianProduct{}, err
	}
	var vv, hh, vh float64
	for s := b.sums; len(s) > 0; s = s[3:] {
		vv, hh, vh = vv+s[0], hh+s[1], vh+s[2]
	}
	b.norm = math.Sqrt(hh)
	return anneal.HessianProduct{VectorNorm: math.Sqrt(vv), ProductNorm: b.norm, Rayleigh: vh / vv, Weight: s.weight}, nil
}

// Normalize implements [anneal.HessianMultiplier].
func (b *multiplier) Normalize() error {
	n := b.o.layout.Len()
	return b.o.d.launch("vector", "turn", shape{grid: [3]int{(n + 255) / 256}, block: 256}, &powerArgs{V: b.o.direction, HV: b.o.grad, Factor: 1 / b.norm, Count: int64(n)})
}
