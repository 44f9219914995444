package checkpoint

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/sealed"
)

// A checkpoint file is JSON with a checksum, like a model. Long vectors are in base64, as
// little-endian numbers, because they are written every minute.

var kind = sealed.Kind{Format: "fsa-checkpoint", Version: 2, What: "a checkpoint of fsa"}

const maxFile = 64 << 30

type envelope struct {
	sealed.Head
	Body json.RawMessage `json:"checkpoint"`
}

type body struct {
	Of     map[string]string `json:"of"`
	Tasks  map[string]*task  `json:"tasks"`
	Events []byte            `json:"events,omitempty"`
	// Descent is the record of the epochs for a report.
	Descent json.RawMessage `json:"descent,omitempty"`
}

// task is a Task in the file. The vectors of its state are separate.
type task struct {
	Done      bool          `json:"done,omitempty"`
	State     *anneal.State `json:"state,omitempty"`
	Groups    ints          `json:"groups,omitempty"`
	All       bool          `json:"all,omitempty"` // no list of groups means all, not none
	Beta      floats        `json:"beta,omitempty"`
	Velocity  floats        `json:"velocity,omitempty"`
	Direction halves        `json:"direction,omitempty"`
	Stored    ints          `json:"stored,omitempty"`
	Order     bool          `json:"order,omitempty"`
	Wasted    float64       `json:"wasted,omitempty"`
	Sets      map[int]ints  `json:"sets,omitempty"`
	Chosen    ints          `json:"chosen,omitempty"`
	Numbers   floats        `json:"numbers,omitempty"`
	Found     []byte        `json:"found,omitempty"`
	Cells     float64       `json:"cells"`
}

// ErrFile is wrapped by errors that are caused by a file.
var ErrFile = errors.New("not a usable checkpoint")

// WriteTo writes the record.
func (r *Record) WriteTo(w io.Writer) (int64, error) {
	b := body{Of: r.Of(), Tasks: map[string]*task{}}
	r.mu.Lock()
	for name, t := range r.tasks { // a recorded task never changes
		b.Tasks[name] = written(t)
	}
	seen, watch := r.seen, r.watch
	r.mu.Unlock()
	if watch != nil { // after the tasks: nothing that they have done is missing
		seen = watch()
	}
	b.Events, b.Descent = seen.Events, seen.Descent
	inner, err := json.Marshal(b)
	if err != nil {
		return 0, fmt.Errorf("checkpoint: %w", err)
	}
	head, err := json.Marshal(kind.Seal(inner))
	if err != nil {
		return 0, fmt.Errorf("checkpoint: %w", err)
	}
	// The body need not be parsed again to be put into the envelope.
	var n int64
	for _, part := range [][]byte{head[:len(head)-1], []byte(`,"checkpoint":`), inner, []byte("}\n")} {
		m, err := w.Write(part)
		if n += int64(m); err != nil {
			return n, err
		}
	}
	return n, nil
}

func written(t *Task) *task {
	to := &task{Done: t.Done, Stored: t.Stored, Order: t.Order, Wasted: t.Wasted, Chosen: t.Chosen, Numbers: t.Numbers, Found: t.Found, Cells: t.Cells}
	if t.State != nil {
		s := *t.State
		to.Groups, to.All, to.Beta, to.Velocity, to.Direction = s.Groups, s.Groups == nil, s.Beta, s.Velocity, s.Direction
		s.Groups, s.Beta, s.Velocity, s.Direction = nil, nil, nil, nil
		to.State = &s
	}
	if t.Sets != nil {
		to.Sets = map[int]ints{}
		for size, set := range t.Sets {
			to.Sets[size] = set
		}
	}
	return to
}

// Read reads a record, and checks everything that can be checked without the data.
func Read(r io.Reader) (*Record, error) {
	refuse := func(format string, a ...any) error {
		return fmt.Errorf("%w: %s", ErrFile, fmt.Sprintf(format, a...))
	}
	in := bufio.NewReaderSize(io.LimitReader(r, maxFile), sealed.HeadBytes)
	head, err := in.Peek(sealed.HeadBytes)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if err := kind.Sniff(head); err != nil {
		return nil, refuse("%v", err)
	}
	file, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var e envelope
	if err := json.Unmarshal(file, &e); err != nil {
		return nil, refuse("it is cut off or not JSON")
	}
	var b body
	if err := kind.Open(e.Head, e.Body, &b); err != nil {
		return nil, refuse("%v", err)
	}
	to := &Record{of: b.Of, tasks: map[string]*Task{}, seen: Seen{b.Events, b.Descent}}
	for name, t := range b.Tasks {
		if t == nil {
			return nil, refuse("task %q is empty", name)
		}
		task, err := t.read()
		if err != nil {
			return nil, refuse("task %q: %v", name, err)
		}
		to.tasks[name] = task
	}
	return to, nil
}

func (t *task) read() (*Task, error) {
	to := &Task{Done: t.Done, Stored: t.Stored, Order: t.Order, Wasted: t.Wasted, Chosen: t.Chosen, Numbers: t.Numbers, Found: t.Found, Cells: t.Cells}
	for _, list := range [][]int{t.Groups, t.Stored, t.Chosen} {
		if !ascending(list) {
			return nil, errors.New("groups are not in order")
		}
	}
	if !finite(t.Beta) || !finite(t.Velocity) || !finite([]float64{t.Wasted, t.Cells}) {
		return nil, errors.New("a number is not finite")
	}
	if t.Cells < 0 || t.Wasted < 0 {
		return nil, errors.New("a number that counts is negative")
	}
	for size, set := range t.Sets {
		if len(set) > size || !ascending(set) {
			return nil, errors.New("a set of groups is inconsistent")
		}
		if to.Sets == nil {
			to.Sets = map[int][]int{}
		}
		to.Sets[size] = set
	}
	if s := t.State; s != nil {
		s.Groups, s.Beta, s.Velocity, s.Direction = t.Groups, t.Beta, t.Velocity, t.Direction
		if !t.All && s.Groups == nil {
			s.Groups = []int{}
		}
		if s.Epoch < 1 || len(s.Trace) != s.Epoch || s.Momentum != (len(s.Velocity) > 0) || s.Momentum && len(s.Velocity) != len(s.Beta) ||
			s.WarmUp < 0 || s.Step.Eta < 0 || s.Step.Shortened < 0 || s.Step.Measured < 0 || s.Step.Weight < 0 {
			return nil, errors.New("its state contradicts itself")
		}
		to.State = s
	}
	return to, nil
}

func ascending(list []int) bool {
	for i, v := range list {
		if v < 0 || i > 0 && v <= list[i-1] {
			return false
		}
	}
	return true
}

func finite(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}
