package fsa

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"fsa/anneal"
	"fsa/cuda"
	"fsa/internal/matrix"
	"fsa/internal/objective"
	"fsa/internal/subset"
	"fsa/loss"
)

// Names of Options.Device besides those of devices.
const (
	DeviceCPU  = "cpu"
	DeviceAuto = "auto"
)

// devices is the table of machines that a descent can run on besides the processor: a new
// one is a package and a line here. Memory is how many bytes may be used there.
var devices = map[string]func(memory int64) (objective.Device, error){
	"cuda": func(memory int64) (objective.Device, error) { return cuda.OpenAll(memory) },
}

// DeviceNames lists what Options.Device may be.
func DeviceNames() []string {
	return append([]string{DeviceAuto, DeviceCPU}, slices.Sorted(maps.Keys(devices))...)
}

// place is where the descents of a job run: on the processor, or on a device. All jobs
// of a fit share it.
type place struct {
	device objective.Device                // nil for the processor
	auto   bool                            // what the device cannot do, the processor does
	expire func(ctx context.Context) error // ends the work of several processes when their time is up; nil for no such end
	turn   sync.Mutex                      // held while an objective is on the device
}

// home returns where a table is that is not in the memory or on a disk of this machine alone; nil for
// one that is. Such a table brings its own device.
func home(x matrix.Matrix) objective.Device {
	d, _ := x.(objective.Device)
	return d
}

// explainer is a device that says what it does in epochs of so many steps: settings, their
// values and reasons.
type explainer interface {
	Explain(steps int) [][3]string
}

// checkHome refuses what needs all of a table in one place.
func (o *Options) checkHome() error {
	if o.Device != "" && o.Device != DeviceCPU {
		return optionError("device %s: on several machines the processors compute: leave the device out", o.Device)
	}
	return nil
}

// newPlace opens the device that the options name. Auto takes the first that there is if the table
// is large enough to be worth it.
func newPlace(o *Options, f *facts, p *Plan) (*place, error) {
	if f.home != nil {
		if e, ok := f.home.(explainer); ok {
			for _, d := range e.Explain((f.rows + p.Batch - 1) / p.Batch) {
				p.say(d[0], d[1], d[2])
			}
		}
		return &place{device: f.home}, nil
	}
	switch o.Device {
	case "", DeviceCPU:
		return &place{}, nil
	case DeviceAuto:
		if f.cells < deviceCells {
			p.say("device", DeviceCPU, "the table is small")
			return &place{}, nil
		}
		for _, name := range slices.Sorted(maps.Keys(devices)) {
			if d, err := devices[name](o.DeviceMemory); err == nil {
				p.say("device", name, "there is one, and the table is large; what it cannot do, the processor does")
				return &place{device: d, auto: true}, nil
			}
		}
		p.say("device", DeviceCPU, "there is no other")
		return &place{}, nil
	}
	d, err := devices[o.Device](o.DeviceMemory)
	if err != nil {
		return nil, fmt.Errorf("device %s: %w", o.Device, err)
	}
	p.say("device", o.Device, "given")
	return &place{device: d}, nil
}

// objective returns an objective as it is to be computed, and what gives back what that
// takes. On a device there is one at a time, though folds are worked on side by side: what it finds
// there, and so its last bits, must not depend on how far others are.
func (p *place) objective(ctx context.Context, ob *objective.Objective) (anneal.Objective, func(), error) {
	nothing := func() {}
	if p.device == nil {
		return ob, nothing, nil
	}
	p.turn.Lock()
	on, err := p.device.Place(ctx, ob)
	if err != nil {
		p.turn.Unlock()
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, nothing, ctx.Err()
	case err != nil && p.auto:
		return ob, nothing, nil
	case err != nil:
		return nil, nothing, err
	}
	return on, func() {
		on.Close()
		p.turn.Unlock()
	}, nil
}

// run anneals an objective where it is computed. Afterwards it has the groups that stayed.
func (p *place) run(ctx context.Context, ob *objective.Objective, on anneal.Objective, s anneal.Settings) (*anneal.Result, error) {
	res, err := anneal.Run(ctx, on, s)
	if err == nil && on != anneal.Objective(ob) && len(res.Groups) < ob.Layout().Groups() {
		err = ob.Keep(ctx, slices.Clone(res.Groups))
	}
	return res, err
}

// learner is a device on which what was chosen is learned, too.
type learner interface {
	Columns(x [][]float64, l loss.Loss, t loss.Target) (subset.Elsewhere, error)
}

// columns returns where columns are learned from; nil where the processor is as good or must do it.
func (p *place) columns(x [][]float64, l loss.Loss, t loss.Target) subset.Elsewhere {
	if d, ok := p.device.(learner); ok {
		if there, err := d.Columns(x, l, t); err == nil {
			return there
		}
	}
	return nil
}

// decide returns what the first of several processes says; a process that is alone says it itself.
func (p *place) decide(ctx context.Context, yes bool) (bool, error) {
	if t, ok := p.device.(objective.Together); ok {
		return t.Decide(ctx, yes)
	}
	return yes, nil
}

// stop returns what ends a descent by hand: of several processes the first one does, and all ask it after every epoch.
func (j *Job) stop(ctx context.Context) func() bool {
	stop := j.options.Stop
	if _, ok := j.place.device.(objective.Together); !ok || stop == nil {
		return stop
	}
	return func() bool {
		yes, err := j.place.decide(ctx, stop())
		return yes && err == nil // what has gone wrong will be found by the next step
	}
}

// until returns a context that ends when the time is up. Several processes have to notice
// that at the same point of their work: they ask the first of them after every epoch.
func (p *place) until(ctx context.Context, deadline time.Time) (context.Context, context.CancelFunc) {
	if _, ok := p.device.(objective.Together); !ok {
		return context.WithDeadlineCause(ctx, deadline, ErrTime)
	}
	until, cancel := context.WithCancelCause(ctx)
	p.expire = func(ctx context.Context) error {
		up, err := p.decide(ctx, time.Now().After(deadline))
		if up {
			cancel(ErrTime)
		}
		return err
	}
	return until, func() {
		p.expire = nil
		cancel(nil)
	}
}

// late ends the work of several processes if their time is up.
func (p *place) late(ctx context.Context) error {
	if p.expire == nil {
		return nil
	}
	return p.expire(ctx)
}

// close gives the device back.
func (p *place) close() {
	if p.device != nil {
		p.device.Close()
	}
}
