// Package checkpoint stores the state of an unfinished fit, in memory and in a file, so that
// another process can continue and end with the same model to the last byte.
//
// A fit is a sequence of tasks that is the same whenever it is run. A [Record] stores the expensive
// ones by their names: the state of a descent, or the result of a search. A process that continues
// repeats the sequence, and finds most of its work done.
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

// Task is the state of a task of a fit.
type Task struct {
	// Done says that it is finished.
	Done bool
	// State is the state of a descent.
	State *anneal.State
	// Stored, Order and Wasted describe the layout of the columns in memory.
	Stored []int
	Order  bool
	Wasted float64
	// Sets are the groups that were alive at each size, if they are needed.
	Sets map[int][]int
	// Chosen are the groups that a search has found.
	Chosen []int
	// Numbers are the numbers that were learned.
	Numbers []float64
	// Found is any other result, in the format of its owner.
	Found []byte
	// Cells is the number of cells read so far.
	Cells float64
}

// Record is the progress of a fit. The zero value is empty. It may be used by many goroutines.
type Record struct {
	// Always records the state of a task whenever possible, whatever the cost.
	Always bool

	mu      sync.Mutex
	of      map[string]string // settings and data to which it belongs
	tasks   map[string]*Task
	taken   map[string]taken
	seen    Seen
	watch   func() Seen // nil if there is no observer
	changes int
}

// Seen is what the observer of a fit has recorded beside its tasks.
type Seen struct {
	Events  []byte // a line for each epoch
	Descent []byte // what a report shows of the epochs, as JSON
}

// taken is when the state of a task was recorded, and how long that took.
type taken struct {
	at   time.Time
	cost time.Duration
}

// New returns an empty record.
func New() *Record { return new(Record) }

// ErrOther is wrapped by errors that name what else a record belongs to.
var ErrOther = errors.New("the checkpoint belongs to another fit")

// Bind sets what the record belongs to: settings and data by their names. It returns an error if
// the record has work for something else.
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

// Task returns the state of a task, or nil if it has not started.
func (r *Record) Task(name string) *Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tasks[name]
}

// leastPause is the shortest time between two records of a task; dear is the same in multiples of
// the time that recording takes.
const (
	leastPause = 20 * time.Millisecond
	dear       = 200
)

// Due reports whether it is time to record the state of a task again: so often that little is lost,
// and so seldom that it takes less than 1% of the time.
func (r *Record) Due(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.taken[name]
	return r.Always || time.Since(t.at) >= max(leastPause, dear*t.cost)
}

// Put records the state of a task. since is the time when recording started.
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

// Watch makes the record call f for the observer's state whenever the record is written.
func (r *Record) Watch(f func() Seen) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.watch = f
}

// Seen returns the observer's state when the record was written.
func (r *Record) Seen() Seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.seen
}

// Changes returns how often something was recorded.
func (r *Record) Changes() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changes
}
