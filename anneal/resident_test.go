package anneal_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"fsa/anneal"
)

// TestResume stops a descent after every epoch, passes its state through JSON, continues from it,
// and expects the same result to the last bit.
func TestResume(t *testing.T) {
	for _, parts := range []int{1, 4} {
		for _, width := range []int{1, 3} {
			t.Run(fmt.Sprintf("%d batches, groups of %d", parts, width), func(t *testing.T) {
				l := anneal.Uniform(40, width, 1)
				fresh := func() anneal.Objective {
					d := linear(8, 120, l, spread(l, 2, 9, 30), 0.5)
					d.Parts = parts
					return d
				}
				s := anneal.Settings{K: 3, Iterations: 24, Mu: 3, FactorWarmUp: 3, Force: []int{17}, Tolerance: 1e-12}
				var states []string
				s.Observe = func(e anneal.Epoch) {
					b, err := json.Marshal(e.State())
					if err != nil {
						t.Fatal(err)
					}
					states = append(states, string(b))
				}
				want := anneals(t, fresh(), s)
				s.Observe = nil
				for i, state := range states {
					s.Resume = new(anneal.State)
					if err := json.Unmarshal([]byte(state), s.Resume); err != nil {
						t.Fatal(err)
					}
					if got := anneals(t, fresh(), s); !reflect.DeepEqual(got, want) {
						t.Fatalf("resumed after epoch %d:\n%+v\nwant\n%+v", i+1, got, want)
					}
				}
			})
		}
	}
}

// TestResumeRefused checks that the state of another objective is refused.
func TestResumeRefused(t *testing.T) {
	l := anneal.Uniform(5, 1, 0)
	for _, state := range []anneal.State{{}, {Epoch: 3}, {Epoch: 1, Trace: make([]anneal.Epoch, 1), Coefficients: anneal.Coefficients{Groups: make([]int, 6)}}} {
		s := anneal.Settings{K: 2, Resume: &state}
		if _, err := anneal.Run(t.Context(), linear(1, 20, l, spread(l, 1), 1), s); err == nil {
			t.Errorf("%+v was accepted", state)
		}
	}
}
