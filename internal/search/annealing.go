package search

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/anneal"
)

// annealing runs one descent that passes through every size from most down to least, and stores
// the groups that are alive at each size in the sets of the path. It leaves the sizes below most to
// [path.eliminate] where that reads fewer rows.
func annealing(ctx context.Context, p *path, least, most int) error {
	s := p.selecting
	if s.eliminates(p.by, most) {
		p.below, least = least, most
	}
	r := p.by.Descent.round(p.by.Ridge, least)
	if r.batch < s.Rows() { // minibatches drop groups quickly: add one epoch per size
		r.epochs += most - least
	} else {
		r.epochs = max(r.epochs, 2*(most-least))
	}
	groups := s.Groups.Count()
	r.schedule = everySize(Within(r.schedule, r.epochs), least, most)
	if reached := slices.IndexFunc(all(r.epochs), func(e int) bool { return r.schedule(e+1, r.epochs, groups, least) <= least }); reached >= 0 && r.Eta == 0 {
		r.epochs = reached + 1 // a solver fits the remaining groups; a given step size may still diverge later
	}
	ob := s.objective(nil, least, p.by.Ridge, r.batch)
	to := s.settings(ctx, ob, &r)
	to.Tolerance = 0
	if s.Quotas != nil {
		to.Raise = s.ration(most)
	}
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
	if most == groups { // the first set is all groups
		p.sets[most] = all(most)
	}
	var err error
	p.trace, err = s.descend(ctx, p.by.task(), ob, to, p.sets, nil)
	if ob.Layout().Groups() == most && p.below > 0 {
		p.left = ob
	}
	if p.trace != nil {
		s.Meter.Epochs += len(p.trace.Trace)
	}
	return err
}

// task returns the name under which a record stores the descent of a selection.
func (s Selection) task() string { return fmt.Sprint("descent ", s) }

// Within returns the schedule s for the given number of epochs. In later epochs the number of groups
// stays the same, however long the descent is.
func Within(s anneal.Schedule, epochs int) anneal.Schedule {
	return func(e, _, groups, k int) int { return s(min(e, epochs), epochs, groups, k) }
}

// everySize returns the schedule s with smaller steps, so that it passes through every size from most
// to least.
func everySize(s anneal.Schedule, least, most int) anneal.Schedule {
	alive, after := math.MaxInt, 0 // groups alive, and the epoch after which they are
	return func(e, epochs, groups, k int) int {
		if e < after {
			alive, after = math.MaxInt, 0
		}
		for after < e { // a resumed descent starts at a later epoch
			after++
			m := s(after, epochs, groups, k)
			if m <= most { // from here on, drop one group per epoch, as late as the schedule allows
				m = max(m, min(alive, most+1)-1)
			}
			alive = max(m, least)
		}
		return alive
	}
}
