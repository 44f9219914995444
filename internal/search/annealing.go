package search

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/anneal"
)

// annealing descends once through all sizes, the largest first, and records which groups are
// alive at each.
func annealing(ctx context.Context, p *path, least, most int) error {
	s := p.selecting
	r := p.by.Descent.round(p.by.Ridge, least)
	if r.batch < s.Rows() { // groups go fast then: there must be one epoch a size
		r.epochs += most - least
	} else {
		r.epochs = max(r.epochs, 2*(most-least))
	}
	groups := s.Groups.Count()
	r.schedule = everySize(Within(r.schedule, r.epochs), least, most)
	if reached := slices.IndexFunc(all(r.epochs), func(e int) bool { return r.schedule(e+1, r.epochs, groups, least) <= least }); reached >= 0 && r.Eta == 0 {
		r.epochs = reached + 1 // a solver learns what is left; a step that was given may yet diverge
	}
	ob := s.objective(nil, least, p.by.Ridge, r.batch)
	to := s.settings(ctx, ob, &r)
	to.Tolerance = 0
	to.Stop = s.Device.stopper(ctx, s.Stop)
	if to.Lipschitz = s.Known[p.by.Form()]; to.Lipschitz.Constant > 0 {
		to.Lipschitz.Constant += 2 * p.by.Ridge
	}
	if s.Observe != nil {
		to.Observe = s.Meter.observer(s.Observe, s.columnOf, groups, &to)
	}
	tell := to.Observe
	to.Observe = func(e anneal.Epoch) {
		if e.Groups <= most && p.sets[e.Groups] == nil {
			p.sets[e.Groups] = slices.Clone(e.Alive)
		}
		if tell != nil {
			tell(e)
		}
	}
	if most == groups { // none of which has to go
		p.sets[most] = all(most)
	}
	var err error
	p.trace, err = s.descend(ctx, fmt.Sprint("descent ", p.by), ob, to, p.sets, nil)
	if p.trace != nil {
		s.Meter.Epochs += len(p.trace.Trace)
	}
	return err
}

// Within returns a schedule of some epochs, however many there are: it stays as it is after them.
func Within(s anneal.Schedule, epochs int) anneal.Schedule {
	return func(e, _, groups, k int) int { return s(min(e, epochs), epochs, groups, k) }
}

// everySize returns a schedule that passes through every size from most to least.
func everySize(s anneal.Schedule, least, most int) anneal.Schedule {
	alive, after := math.MaxInt, 0 // epochs
	return func(e, epochs, groups, k int) int {
		if e < after {
			alive, after = math.MaxInt, 0
		}
		for after < e { // a descent may go on from a later epoch
			after++
			m := s(after, epochs, groups, k)
			if m <= most { // one at a time from here on, as late as the schedule allows
				m = max(m, min(alive, most+1)-1)
			}
			alive = max(m, least)
		}
		return alive
	}
}
