package search

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/solve"
	"fsa/loss"
)

// ErrTime means that the time limit was reached before there was a selection to fit.
var ErrTime = errors.New("the time is up")

// Device computes the descents of a fit: the processor, a GPU or a grid of processes. All samples of
// a fit share it.
type Device struct {
	on     objective.Device                // nil for the processor
	auto   bool                            // use the processor for objectives that the device does not support
	expire func(ctx context.Context) error // cancels the work of several processes after the deadline; nil without a deadline
	busy   sync.Mutex                      // held while an objective is on the device
}

// NewDevice returns a Device that computes on d, or on the processor if d is nil. With auto, the
// processor computes objectives that d does not support.
func NewDevice(d objective.Device, auto bool) *Device { return &Device{on: d, auto: auto} }

// objective moves an objective to the device and returns it with a function that releases the device.
// Folds run in parallel, but a device holds one objective at a time, so that its result does not
// depend on the progress of other folds.
func (d *Device) objective(ctx context.Context, ob *objective.Objective) (anneal.Objective, func(), error) {
	nothing := func() {}
	if d.on == nil {
		return ob, nothing, nil
	}
	d.busy.Lock()
	on, err := d.on.Place(ctx, ob)
	if err != nil {
		d.busy.Unlock()
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, nothing, ctx.Err()
	case err != nil && d.auto:
		return ob, nothing, nil
	case err != nil:
		return nil, nothing, err
	}
	return on, func() {
		on.Close()
		d.busy.Unlock()
	}, nil
}

// run anneals the objective on, and then keeps the selected groups in its original ob as well.
func (d *Device) run(ctx context.Context, ob *objective.Objective, on anneal.Objective, s anneal.Settings) (*anneal.Result, error) {
	res, err := anneal.Run(ctx, on, s)
	if err == nil && on != anneal.Objective(ob) && len(res.Groups) < ob.Layout().Groups() {
		err = ob.Keep(ctx, slices.Clone(res.Groups))
	}
	return res, err
}

// learner is a device that can also fit the selected columns.
type learner interface {
	Columns(x [][]float64, l loss.Loss, t loss.Target) (solve.Device, error)
}

// columns copies columns to the device to fit them there. It returns nil if the processor fits them.
func (d *Device) columns(x [][]float64, l loss.Loss, t loss.Target) solve.Device {
	if on, ok := d.on.(learner); ok {
		if there, err := on.Columns(x, l, t); err == nil {
			return there
		}
	}
	return nil
}

// decide returns the answer of the first process of a grid, so that all processes act alike. Without
// a grid it returns yes.
func (d *Device) decide(ctx context.Context, yes bool) (bool, error) {
	if t, ok := d.on.(objective.Together); ok {
		return t.Decide(ctx, yes)
	}
	return yes, nil
}

// stopper returns the function that a descent calls after every epoch to ask whether to stop. On a
// grid, all processes get the answer of the first one.
func (d *Device) stopper(ctx context.Context, stop func() bool) func() bool {
	if _, ok := d.on.(objective.Together); !ok || stop == nil {
		return stop
	}
	return func() bool {
		yes, err := d.decide(ctx, stop())
		return yes && err == nil // the next step will report the error
	}
}

// Until returns a context that is cancelled at the deadline. The processes of a grid must stop at the
// same epoch, so they ask the first one after every epoch.
func (d *Device) Until(ctx context.Context, deadline time.Time) (context.Context, context.CancelFunc) {
	if _, ok := d.on.(objective.Together); !ok {
		return context.WithDeadlineCause(ctx, deadline, ErrTime)
	}
	until, cancel := context.WithCancelCause(ctx)
	d.expire = func(ctx context.Context) error {
		up, err := d.decide(ctx, time.Now().After(deadline))
		if up {
			cancel(ErrTime)
		}
		return err
	}
	return until, func() {
		d.expire = nil
		cancel(nil)
	}
}

// late cancels the context of Until on every process of a grid if the deadline has passed.
func (d *Device) late(ctx context.Context) error {
	if d.expire == nil {
		return nil
	}
	return d.expire(ctx)
}

// Close releases the device.
func (d *Device) Close() {
	if d.on != nil {
		d.on.Close()
	}
}
