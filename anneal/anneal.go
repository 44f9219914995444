// Package anneal is Feature Selection with Annealing, Algorithm 1 of Barbu,
// She, Ding and Gramajo: one step along the gradient, drop the weakest
// variables, repeat, until k are left and have been learned.
//
// It knows nothing of data, losses or files. An [Objective] comes in, a
// [Result] goes out.
package anneal

import (
	"context"
	"math"
)

// Run minimises obj under the constraint that only s.K groups stay.
func Run(ctx context.Context, obj Objective, s Settings) (*Result, error) {
	s, err := s.withDefaults(obj)
	if err != nil {
		return nil, err
	}
	st := start(obj, s)
	if err := st.look(ctx); err != nil {
		return nil, err
	}
	for e := 1; e <= st.epochs(); e++ {
		if err := st.descend(ctx); err != nil {
			return nil, err
		}
		if m := st.staying(e, st.groups, st.layout.Groups()); m < st.layout.Groups() {
			if err := st.keep(ctx, st.strongest(m)); err != nil {
				return nil, err
			}
		}
		if st.observe(e); st.settled() {
			st.status = Settled
			break
		}
	}
	return st.result(), nil
}

// state is what changes while Run works.
type state struct {
	Settings
	obj    Objective
	groups int // at the start

	layout Layout
	alive  []int  // original number of each living group; nil while none is gone
	must   []bool // whether a living group has to stay
	beta   []float64
	grad   []float64
	trail  []float64 // β before the epoch or, where there are several batches, its sum over them
	speed  []float64 // what is left of earlier moves; nil without momentum
	step   stepper

	epoch   Epoch   // the record of the current epoch
	batches int     // in it
	moved   float64 // the largest move of a coefficient in it
	trace   []Epoch
	status  Status
}

func start(obj Objective, s Settings) *state {
	l := obj.Layout()
	st := &state{
		Settings: s, obj: obj, groups: l.Groups(), layout: l,
		beta:  make([]float64, l.Len()),
		grad:  make([]float64, l.Len()),
		trail: make([]float64, l.Len()),
		step:  stepper{eta: s.Eta, given: s.Eta > 0},
	}
	copy(st.beta[l.Len()-l.Free:], s.Free)
	if s.Momentum > 0 {
		st.speed = make([]float64, l.Len())
	}
	if len(s.Force) > 0 {
		st.must = make([]bool, l.Groups())
		for _, j := range s.Force {
			st.must[j] = true
		}
	}
	return st
}

// keep drops every living group that is not listed.
func (st *state) keep(ctx context.Context, groups []int) error {
	if err := st.obj.Keep(ctx, groups); err != nil {
		return err
	}
	l := st.layout
	st.layout = st.obj.Layout()
	st.beta = compact(l, st.beta, groups)
	st.trail, st.grad = st.trail[:len(st.beta)], st.grad[:len(st.beta)]
	if st.speed != nil {
		st.speed = compact(l, st.speed, groups)
	}
	if st.step.direction != nil {
		st.step.direction = compact(l, st.step.direction, groups)
	}
	for to, from := range groups {
		if st.must != nil {
			st.must[to] = st.must[from]
		}
		groups[to] = st.original(from)
	}
	st.alive = groups
	st.moved = math.Inf(1) // those that stay have yet to answer
	return nil
}

// original returns the number that living group j had at the start.
func (st *state) original(j int) int {
	if st.alive == nil {
		return j
	}
	return st.alive[j]
}

// originals returns those of all living groups.
func (st *state) originals() []int {
	if st.alive == nil {
		st.alive = make([]int, st.groups)
		for j := range st.alive {
			st.alive[j] = j
		}
	}
	return st.alive
}

// observe completes the epoch's record and passes it on.
func (st *state) observe(e int) {
	st.epoch.Epoch, st.epoch.Of = e, st.epochs()
	st.epoch.Groups = st.layout.Groups()
	st.trace = append(st.trace, st.epoch)
	if st.Observe != nil {
		view := st.epoch
		view.Alive, view.Beta, view.Layout = st.originals(), st.beta, st.layout
		st.Observe(view)
	}
}

// settled reports that the support is final and the coefficients rest. Moves by
// shortened steps are small in any case.
func (st *state) settled() bool {
	if st.Tolerance <= 0 || st.layout.Groups() > st.K {
		return false
	}
	var largest float64 // free coefficients have other units
	for _, b := range st.beta[:len(st.beta)-st.layout.Free] {
		largest = max(largest, math.Abs(b))
	}
	return st.moved <= st.Tolerance*largest*st.step.share()
}

func (st *state) result() *Result {
	return &Result{
		Groups: st.originals(), Beta: st.beta, Layout: st.layout,
		Trace: st.trace, Status: st.status,
	}
}
