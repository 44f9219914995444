package checkpoint_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"fsa/anneal"
	"fsa/internal/checkpoint"
)

// record returns one with a task of each kind.
func record(t testing.TB) *checkpoint.Record {
	t.Helper()
	r := checkpoint.New()
	if err := r.Bind(map[string]string{"--loss": "svm", "--ridge": "", "data": "abc"}); err != nil {
		t.Fatal(err)
	}
	state := &anneal.State{Epoch: 2, NullLoss: 0.1, Trace: []anneal.Epoch{{Epoch: 1, Of: 9, Groups: 5, Loss: 1. / 3}, {Epoch: 2, Of: 9, Groups: 3}}}
	state.Groups, state.Beta, state.Momentum, state.Velocity, state.Direction = []int{1, 4, 7}, []float64{0.1, -2, 1e-300, 5}, true, []float64{0, 0, 1, 2}, []float32{1, 2, 3, 4}
	r.Put("descent", &checkpoint.Task{State: state, Stored: []int{1, 2, 4, 7}, Order: true, Wasted: 0.3, Sets: map[int][]int{3: {1, 4, 7}}, Cells: 12}, time.Now())
	r.Put("swap", &checkpoint.Task{Done: true, Chosen: []int{3, 9}}, time.Now())
	r.Put("learn", &checkpoint.Task{Done: true, Numbers: []float64{0.5, 1, 2}}, time.Now())
	r.Watch(func() checkpoint.Seen { return checkpoint.Seen{Events: []byte("{}\n"), Descent: []byte(`{"last":{}}`)} })
	return r
}

func TestFile(t *testing.T) {
	r := record(t)
	var file bytes.Buffer
	if n, err := r.WriteTo(&file); err != nil || n != int64(file.Len()) {
		t.Fatal(n, err)
	}
	again, err := checkpoint.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"descent", "swap", "learn", "none"} {
		if a, b := r.Task(name), again.Task(name); !reflect.DeepEqual(a, b) {
			t.Errorf("%s is %+v, want %+v", name, b, a)
		}
	}
	if !reflect.DeepEqual(r.Of(), again.Of()) || string(again.Seen().Events) != "{}\n" || string(again.Seen().Descent) != `{"last":{}}` {
		t.Errorf("it belongs to %v, and has seen %q", again.Of(), again.Seen())
	}
	for n := range file.Len() - 1 {
		if _, err := checkpoint.Read(bytes.NewReader(file.Bytes()[:n])); !errors.Is(err, checkpoint.ErrFile) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
}

func TestBind(t *testing.T) {
	r := record(t)
	if err := r.Bind(map[string]string{"--loss": "svm", "--ridge": "", "data": "abc", "--new": ""}); err != nil {
		t.Error(err)
	}
	err := r.Bind(map[string]string{"--loss": "lorenz", "--ridge": "1", "data": "abc", "--more": "2"})
	if !errors.Is(err, checkpoint.ErrOther) {
		t.Fatal(err)
	}
	for _, want := range []string{"--loss was svm and is lorenz", "--ridge was not given and is 1", "--more was not given and is 2"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "data") {
		t.Errorf("%v speaks of the data", err)
	}
}

// FuzzRead checks that any file is read or refused, and that what is read can be written and read
// again.
func FuzzRead(f *testing.F) {
	var file bytes.Buffer
	if _, err := record(f).WriteTo(&file); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte(`{"format":"fsa-checkpoint","version":1,"checksum":"","checkpoint":{}}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := checkpoint.Read(bytes.NewReader(content))
		if err != nil {
			if !errors.Is(err, checkpoint.ErrFile) {
				t.Fatal(err)
			}
			return
		}
		var again bytes.Buffer
		if _, err := r.WriteTo(&again); err != nil {
			t.Fatal(err)
		}
		if _, err := checkpoint.Read(&again); err != nil {
			t.Fatal(err)
		}
	})
}
