// Package checkpoint keeps what an unfinished fit has done, in memory and in a file, so
// that another process can go on from there and end with the same model to the last byte.
//
// A fit is a sequence of tasks that is the same whenever it is run. A [Record] keeps the
// dear ones by their names: how far a descent has come, or what a search has found. Who
// goes on repeats the sequence, and finds most of its work done.
package checkpoint

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"fsa/anneal"
)

// Task is how far a task of a fit has come.
type Task struct {
	// Done says that it is finished.
	Done bool
	// State is that of a descent.
	State *anneal.State
	// Stored, Order and Wasted say how the columns lay in memory.
	Stored []int
	Order  bool
	Wasted float64
	// Sets are the groups that were alive when so many were, where that is wanted.
	Sets map[int][]int
	// Chosen are the groups that a search has found.
	Chosen []int
	// Numbers are those that were learned.
	Numbers []float64
	// Found is what else was found, as its owner writes it.
	Found []byte
	// Cells is how many were read so far.
	Cells float64
}

// Record is what a fit has done so far. The zero value is an empty one. It may be used by
// many goroutines.
type Record struct {
	// Always lets the state of a task be noted whenever that is possible, whatever it costs.
	Always bool

	mu      sync.Mutex
	of      map[string]string // what it belongs to
	tasks   map[string]*Task
	taken   map[string]taken
	events  []byte
	changes int
}

// taken says when the state of a task was noted, and what that cost.
type taken struct {
	at   time.Time
	cost time.Duration
}

// New returns an empty record.
func New() *Record { return new(Record) }

// ErrOther is wrapped by errors that say what a record belongs to instead.
var ErrOther = errors.New("the checkpoint belongs to another fit")

// Bind says what the record belongs to: settings and data by their names. A record that
// has work done for anything else is refused.
func (r *Record) Bind(of map[string]string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var differ []string
	for name, value := range of {
		if old, ok := r.of[name]; ok && old != value {
			differ = append(differ, fmt.Sprintf("%s was %s and is %s", name, plain(old), plain(value)))
		} else if !ok && len(r.tasks) > 0 && value != "" {
			differ = append(differ, fmt.Sprintf("%s was not given and is %s", name, plain(value)))
		}
	}
	if len(differ) > 0 {
		slices.Sort(differ)
		return fmt.Errorf("%w: %s", ErrOther, strings.Join(differ, "; "))
	}
	if r.of == nil {
		r.of = map[string]string{}
	}
	maps.Copy(r.of, of)
	return nil
}

func plain(value string) string {
	if value == "" {
		return "not given"
	}
	return value
}

// Of returns what the record belongs to.
func (r *Record) Of() map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.of)
}

// Task returns how far a task has come, nil if it has not begun.
func (r *Record) Task(name string) *Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tasks[name]
}

// leastPause is how long a task goes on at least before its state is noted again, and
// dear how many times as long as that takes.
const (
	leastPause = 20 * time.Millisecond
	dear       = 200
)

// Due reports whether it is time to note the state of a task again. It is so often that
// little is lost, and so seldom that it costs less than a hundredth of the time.
func (r *Record) Due(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.taken[name]
	return r.Always || time.Since(t.at) >= max(leastPause, dear*t.cost)
}

// Put notes how far a task has come. Since is when noting it began.
func (r *Record) Put(name string, t *Task, since time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tasks == nil {
		r.tasks = map[string]*Task{}
	}
	if r.taken == nil {
		r.taken = map[string]taken{}
	}
	r.tasks[name] = t
	now := time.Now()
	r.taken[name] = taken{now, now.Sub(since)}
	r.changes++
}

// SetEvents keeps what whoever watches the fit has written of it so far, and Events
// returns it.
func (r *Record) SetEvents(text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = text
}

// Events returns what SetEvents has kept.
func (r *Record) Events() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.events
}

// Changes counts how often something was noted.
func (r *Record) Changes() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changes
}
