package record

import (
	"reflect"
	"strconv"
	"testing"
)

// A descent that is watched in two parts, the second from a little before the end of the first
// on, is the same as one that is watched at once, also where a second search begins.
func TestDescentResumes(t *testing.T) {
	alive := func(e int) int {
		if e > 150 {
			return max(10, 5000/(e-150))
		}
		return max(10, 1000000/(e*e*e))
	}
	const epochs, columns = 400, 2_000_000
	var whole Descent
	for e := 1; e <= epochs; e++ {
		whole.Add(progress(e, alive(e)))
	}
	name := func(v int) int { return v }
	want := whole.Path([]int{0, 2}, strconv.Itoa, name)
	for _, stop := range []int{1, 12, 30, 140, 155, 399, 400} {
		var first, second Descent
		for e := 1; e <= stop; e++ {
			first.Add(progress(e, alive(e)))
		}
		second.Resume(first.State(), columns)
		for e := max(stop-5, 1); e <= epochs; e++ {
			second.Add(progress(e, alive(e)))
		}
		if got := second.Path([]int{0, 2}, strconv.Itoa, name); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped after epoch %d: the path has %d epochs and %d lines instead of %d and %d", stop, len(got.Epochs), len(got.Lines), len(want.Epochs), len(want.Lines))
		}
		if late := second.Late(); !reflect.DeepEqual(late, whole.Late()) {
			t.Errorf("stopped after epoch %d: the last that went are %v", stop, late)
		}
	}
}

// What cannot be the state of a descent in a table is left out.
func TestDescentResumesNothingElse(t *testing.T) {
	var seen Descent
	for e := 1; e <= 50; e++ {
		seen.Add(progress(e, 60-e))
	}
	state := seen.State()
	for _, c := range []struct {
		state   string
		columns int
		taken   bool
	}{
		{string(state), 200, true}, {string(state), 20, false}, {"", 200, false}, {"{}", 200, false}, {"[]", 200, false},
		{`{"last":{"number":1},"stride":0,"left":{}}`, 200, false}, {`{"last":{"number":1},"stride":1,"left":{"-1":1}}`, 200, false}, {`{"last":{"number":1},"stride":1,"left":{}}`, 200, true},
	} {
		var d Descent
		if d.Resume([]byte(c.state), c.columns); (d.State() != nil) != c.taken {
			t.Errorf("%.60q of %d columns: taken %v", c.state, c.columns, !c.taken)
		}
	}
}
