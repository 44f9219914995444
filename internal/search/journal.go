package search

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"fsa/internal/checkpoint"
	"fsa/internal/objective"
)

// Journal names the tasks of a sample and finds them in a record, so that an interrupted fit can be
// resumed. Tasks are numbered in the order in which they run, which is the same in every run.
type Journal struct {
	Record *checkpoint.Record // nil if no record is kept
	job    string
	tasks  map[string]int // number of tasks so far, by name
}

// wholeJob is the name of the fit on all rows; other jobs, such as folds, are parts of it.
const wholeJob = "fit"

// NewJournal returns the journal of a job; an empty name means the fit on all rows.
func NewJournal(r *checkpoint.Record, job string) *Journal {
	if job == "" {
		job = wholeJob
	}
	return &Journal{Record: r, job: job, tasks: map[string]int{}}
}

// Part returns the journal of a part of the job.
func (l *Journal) Part(part string, number int) *Journal {
	name := fmt.Sprintf("%s %d", part, number)
	if l.job != wholeJob {
		name = l.job + ", " + name
	}
	return NewJournal(l.Record, name)
}

// next returns the full name of the next task with a name, and its recorded state; nil if it has not
// begun.
func (l *Journal) next(name string) (string, *checkpoint.Task) {
	if l.Record == nil {
		return "", nil
	}
	l.tasks[name]++
	name = fmt.Sprintf("%s, %s, %d", l.job, name, l.tasks[name])
	return name, l.Record.Task(name)
}

// ended reports whether the next task with a name is recorded as done.
func (l *Journal) ended(name string) bool {
	ahead := Journal{Record: l.Record, job: l.job, tasks: maps.Clone(l.tasks)}
	_, t := ahead.next(name)
	return t != nil && t.Done
}

// found returns the result of search, or the recorded result if the task is already done. The result
// must be the given number of groups (some; −1 means any) out of all groups.
func (l *Journal) found(name string, some, groups int, m *Meter, search func() ([]int, error)) ([]int, error) {
	if l.Record == nil {
		return search()
	}
	name, done := l.next(name)
	if done != nil {
		if n := len(done.Chosen); !done.Done || some >= 0 && n != some || n > 0 && done.Chosen[n-1] >= groups || len(done.Numbers) != 1 {
			return nil, foreign(name)
		}
		m.Cells, m.Epochs = done.Cells, int(done.Numbers[0])
		return slices.Clone(done.Chosen), nil
	}
	chosen, err := search()
	if err == nil {
		l.Record.Put(name, &checkpoint.Task{Done: true, Chosen: slices.Clone(chosen), Cells: m.Cells, Numbers: []float64{float64(m.Epochs)}}, time.Now())
	}
	return chosen, err
}

// foreign returns the error for a record that belongs to another fit.
func foreign(name string) error {
	return fmt.Errorf("%w: %s is not one of this fit", checkpoint.ErrFile, name)
}

// resumable reports whether the recorded state of a task fits an objective. It checks everything,
// because a file may be damaged or belong to another fit.
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

// subsetOf reports whether all groups of a list are in another one. Both lists ascend.
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
