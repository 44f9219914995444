package search

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"fsa/internal/checkpoint"
	"fsa/internal/objective"
)

// Journal names the tasks of a sample in the order in which they come, which is the same
// whenever it is run: what a record says of them is then found again.
type Journal struct {
	Record *checkpoint.Record // nil where nobody keeps one
	job    string
	tasks  map[string]int // number of tasks so far, by name
}

// wholeJob names the job that all others are parts of.
const wholeJob = "fit"

// NewJournal returns the journal of a job, which is empty for a fit that is no part of
// another one.
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

// next returns the full name of the next task of a name, and how far it has come; nil if it
// has not begun.
func (l *Journal) next(name string) (string, *checkpoint.Task) {
	if l.Record == nil {
		return "", nil
	}
	l.tasks[name]++
	name = fmt.Sprintf("%s, %s, %d", l.job, name, l.tasks[name])
	return name, l.Record.Task(name)
}

// found returns the groups that a task finds, or has found before: some of all groups.
func (l *Journal) found(name string, some, groups int, m *Meter, search func() ([]int, error)) ([]int, error) {
	if l.Record == nil {
		return search()
	}
	name, done := l.next(name)
	if done != nil {
		if n := len(done.Chosen); !done.Done || n != some || n > 0 && done.Chosen[n-1] >= groups || len(done.Numbers) != 1 {
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

// foreign says that a task of a record belongs to another fit.
func foreign(name string) error {
	return fmt.Errorf("%w: %s is not one of this fit", checkpoint.ErrFile, name)
}

// resumable reports whether an objective can go on from where a task stopped. A file may
// contain anything.
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
