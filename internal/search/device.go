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

// ErrTime says that the time was up before there was anything to make a model of.
var ErrTime = errors.New("the time is up")

// Device is where the descents of a fit run: on the processor or on another machine. All
// samples of a fit share it.
type Device struct {
	on     objective.Device                // nil for the processor
	auto   bool                            // the processor does what the device cannot
	expire func(ctx context.Context) error // ends the work of several processes when their time is up; nil without a deadline
	turn   sync.Mutex                      // held while an objective is on the device
}

// NewDevice returns a place to descend: d, or the processor if d is nil. Auto lets the
// processor do what d cannot.
func NewDevice(d objective.Device, auto bool) *Device { return &Device{on: d, auto: auto} }

// objective returns an objective as it is to be computed, and what gives back what that
// takes. On a device there is one at a time, though folds are worked on side by side: its
// last bits must not depend on how far others are.
func (d *Device) objective(ctx context.Context, ob *objective.Objective) (anneal.Objective, func(), error) {
	nothing := func() {}
	if d.on == nil {
		return ob, nothing, nil
	}
	d.turn.Lock()
	on, err := d.on.Place(ctx, ob)
	if err != nil {
		d.turn.Unlock()
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
		d.turn.Unlock()
	}, nil
}

// run anneals an objective where it is computed. Afterwards it has the groups that stayed.
func (d *Device) run(ctx context.Context, ob *objective.Objective, on anneal.Objective, s anneal.Settings) (*anneal.Result, error) {
	res, err := anneal.Run(ctx, on, s)
	if err == nil && on != anneal.Objective(ob) && len(res.Groups) < ob.Layout().Groups() {
		err = ob.Keep(ctx, slices.Clone(res.Groups))
	}
	return res, err
}

// learner is a device that can learn the selected columns, too.
type learner interface {
	Columns(x [][]float64, l loss.Loss, t loss.Target) (solve.Elsewhere, error)
}

// columns returns where columns are learned from; nil where the processor does it.
func (d *Device) columns(x [][]float64, l loss.Loss, t loss.Target) solve.Elsewhere {
	if on, ok := d.on.(learner); ok {
		if there, err := on.Columns(x, l, t); err == nil {
			return there
		}
	}
	return nil
}

// decide returns what the first of several processes says; a process that is alone says it itself.
func (d *Device) decide(ctx context.Context, yes bool) (bool, error) {
	if t, ok := d.on.(objective.Together); ok {
		return t.Decide(ctx, yes)
	}
	return yes, nil
}

// stopper returns what ends a descent by hand: of several processes the first one does, and
// all ask it after every epoch.
func (d *Device) stopper(ctx context.Context, stop func() bool) func() bool {
	if _, ok := d.on.(objective.Together); !ok || stop == nil {
		return stop
	}
	return func() bool {
		yes, err := d.decide(ctx, stop())
		return yes && err == nil // an error will be found by the next step
	}
}

// Until returns a context that ends when the time is up. Several processes have to notice
// that at the same point of their work: they ask the first of them after every epoch.
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

// late ends the work of several processes if their time is up.
func (d *Device) late(ctx context.Context) error {
	if d.expire == nil {
		return nil
	}
	return d.expire(ctx)
}

// Close gives the device back.
func (d *Device) Close() {
	if d.on != nil {
		d.on.Close()
	}
}
