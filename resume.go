package fsa

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"fsa/anneal"
	"fsa/checkpoint"
	"fsa/internal/objective"
)

// journal names the tasks of a job in the order in which they come, which is the same
// whenever the job is run: what a record says of them is then found again.
type journal struct {
	record *checkpoint.Record // nil where nobody keeps one
	job    string
	tasks  map[string]int // of each name
}

// wholeJob names the job that all others are parts of.
const wholeJob = "fit"

// of returns the journal of a part of the job.
func (l *journal) of(part string, number int) *journal {
	name := fmt.Sprintf("%s %d", part, number)
	if l.job != wholeJob {
		name = l.job + ", " + name
	}
	return newJournal(l.record, name)
}

func newJournal(r *checkpoint.Record, job string) *journal {
	return &journal{record: r, job: job, tasks: map[string]int{}}
}

// next returns the whole name of the next task of some name, and how far it has come; nil
// if it has not begun.
func (l *journal) next(name string) (string, *checkpoint.Task) {
	if l.record == nil {
		return "", nil
	}
	l.tasks[name]++
	name = fmt.Sprintf("%s, %s, %d", l.job, name, l.tasks[name])
	return name, l.record.Task(name)
}

// run is a descent, or what is left of it. Sets are filled by the observer of the
// settings, and then nothing else is wanted; nil if they are not. Then is called with what comes out
// and with the objective where that can be refined; nil for nothing.
func (j *Job) run(ctx context.Context, name string, ob *objective.Objective, to anneal.Settings, sets map[int][]int, then func(*anneal.Result, objective.Refinable) error) (*anneal.Result, error) {
	on, closed, err := j.place.objective(ctx, ob)
	if err != nil {
		return nil, err
	}
	defer closed()
	var res *anneal.Result
	if j.journal.record == nil {
		res, err = j.place.run(ctx, ob, on, to)
	} else {
		res, err = j.noted(ctx, name, ob, on, to, sets)
	}
	if err != nil || res == nil || then == nil {
		return res, err
	}
	if there, ok := on.(objective.Refinable); ok {
		return res, then(res, there)
	}
	return res, then(res, ob)
}

// noted is a descent that a record is kept of, or what is left of it: of one that cannot lay its
// columns as they lay once, only the end is noted.
func (j *Job) noted(ctx context.Context, name string, ob *objective.Objective, on anneal.Objective, to anneal.Settings, sets map[int][]int) (*anneal.Result, error) {
	record := j.journal.record
	stored, lays := on.(objective.Stored)
	name, done := j.journal.next(name)
	if done != nil && !done.Done && !lays {
		done = nil
	}
	if done != nil {
		if !resumable(ob, done) || len(done.Sets) > 0 && sets == nil {
			return nil, fmt.Errorf("%w: %s is not one of this fit", checkpoint.ErrFile, name)
		}
		maps.Copy(sets, done.Sets)
		j.meter.Cells = done.Cells
		if done.Done && sets != nil {
			return nil, nil
		}
	}
	if lays {
		ob.Track()
	}
	if done != nil {
		to.Resume = done.State
		if lays {
			stored.Lay(objective.Storage{Groups: done.Stored, Order: done.Order, Wasted: done.Wasted})
		}
	}
	note := func(state func() *anneal.State, finished bool) error {
		since := time.Now()
		var s objective.Storage
		if lays {
			var err error
			if s, err = stored.Storage(ctx); err != nil {
				return err
			}
		}
		record.Put(name, &checkpoint.Task{
			Done: finished, State: state(), Stored: s.Groups, Order: s.Order, Wasted: s.Wasted, Sets: maps.Clone(sets), Cells: j.meter.Cells,
		}, since)
		return nil
	}
	observe, last, failed := to.Observe, (func() *anneal.State)(nil), error(nil)
	to.Observe = func(e anneal.Epoch) {
		if observe != nil {
			observe(e)
		}
		last = e.State
		due, err := j.place.decide(ctx, lays && record.Due(name))
		if err == nil && due {
			err = note(e.State, false)
		}
		if err == nil {
			err = j.place.late(ctx)
		}
		if failed == nil {
			failed = err
		}
	}
	res, err := j.place.run(ctx, ob, on, to)
	if failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	if last != nil {
		if err := note(last, true); err != nil {
			return nil, err
		}
	}
	return res, ob.Laid(ctx)
}

// resumable reports whether an objective can go on from where a task stopped. A file may
// say anything.
func resumable(ob *objective.Objective, t *checkpoint.Task) bool {
	l, s := ob.Layout(), t.State
	if s == nil {
		return false
	}
	alive := s.Groups
	if alive == nil {
		alive = all(l.Groups())
	}
	within, sizes := all(l.Groups()), slices.Sorted(maps.Keys(t.Sets))
	for _, size := range slices.Backward(sizes) {
		if !subsetOf(t.Sets[size], within) {
			return false
		}
		within = t.Sets[size]
	}
	if stored := t.Stored; stored != nil && !(subsetOf(stored, all(l.Groups())) && subsetOf(alive, stored)) || !subsetOf(alive, all(l.Groups())) {
		return false
	}
	n := l.Keep(alive).Len()
	return len(s.Beta) == n && (!s.Momentum || len(s.Velocity) == n) && (s.Measured == 0 && len(s.Direction) == 0 || len(s.Direction) == n)
}

// subsetOf reports whether all groups of a list are in another; both ascend.
func subsetOf(list, in []int) bool {
	for _, g := range list {
		at, found := slices.BinarySearch(in, g)
		if !found {
			return false
		}
		in = in[at:]
	}
	return true
}

// found returns the groups that a search finds, or has found before.
func (j *Job) found(name string, search func() ([]int, error)) ([]int, error) {
	record := j.journal.record
	if record == nil {
		return search()
	}
	name, done := j.journal.next(name)
	if done != nil {
		if n := len(done.Chosen); !done.Done || n > 0 && done.Chosen[n-1] >= j.groups.Count() {
			return nil, fmt.Errorf("%w: %s is not one of this fit", checkpoint.ErrFile, name)
		}
		j.meter.Cells = done.Cells
		return slices.Clone(done.Chosen), nil
	}
	chosen, err := search()
	if err == nil {
		record.Put(name, &checkpoint.Task{Done: true, Chosen: slices.Clone(chosen), Cells: j.meter.Cells}, time.Now())
	}
	return chosen, err
}
