package anneal_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/objectivetest"
)

// TestObserve checks that every record of a run describes one state: the coefficients after the epoch, and the loss
// before it.
func TestObserve(t *testing.T) {
	l := anneal.Grouped([]int{0, 2, 3, 6, 7, 9, 10, 14, 15}, 1)
	fresh := func() *objectivetest.Dense { return linear(6, 60, l, spread(l, 1, 6), 0.5) }
	whole := fresh()
	var seen []anneal.Epoch
	var lastAlive []int
	lastBeta := make([]float64, l.Len())
	observe := func(e anneal.Epoch) {
		if e.Epoch != len(seen)+1 {
			t.Fatalf("epoch %d is seen after %d others", e.Epoch, len(seen))
		}
		if len(e.Alive) != e.Groups || !slices.IsSorted(e.Alive) || !reflect.DeepEqual(e.Layout, l.Keep(e.Alive)) || len(e.Beta) != e.Layout.Len() {
			t.Fatalf("the record is inconsistent: %+v", e)
		}
		for _, j := range e.Alive {
			if lastAlive != nil && !slices.Contains(lastAlive, j) {
				t.Fatalf("epoch %d: the dropped group %d is active", e.Epoch, j)
			}
		}
		sum, weight, err := whole.Eval(t.Context(), 0, make([]float64, l.Len()), lastBeta)
		if err != nil || math.Abs(e.Loss-sum/weight) > 1e-12*e.Loss {
			t.Fatalf("epoch %d: loss %g, want %g, error %v", e.Epoch, e.Loss, sum/weight, err)
		}
		lastAlive, lastBeta = slices.Clone(e.Alive), coefficients(l, e.Alive, e.Beta)
		e.Alive, e.Beta, e.Layout, e.State = nil, nil, anneal.Layout{}, nil
		seen = append(seen, e)
	}
	r := anneals(t, fresh(), anneal.Settings{K: 3, Iterations: 60, Mu: 5, Observe: observe})
	if !reflect.DeepEqual(r.Trace, seen) {
		t.Errorf("the trace is not what was observed\n%+v\n%+v", r.Trace, seen)
	}
	if !slices.Equal(r.Groups, lastAlive) || !slices.Equal(coefficients(l, r.Groups, r.Beta), lastBeta) {
		t.Errorf("the result %v %g is not what was observed last, %v %g", r.Groups, r.Beta, lastAlive, lastBeta)
	}
	if !reflect.DeepEqual(r.Layout, l.Keep(r.Groups)) {
		t.Errorf("layout %+v of groups %v", r.Layout, r.Groups)
	}
}

// TestSameBits checks that a repeated run gives the same bits, with or without an observer.
func TestSameBits(t *testing.T) {
	l := anneal.Uniform(40, 2, 1)
	for _, parts := range []int{1, 5} {
		var first *anneal.Result
		for i := range 3 {
			d := linear(7, 100, l, spread(l, 1, 6), 0.5)
			d.Parts = parts
			s := anneal.Settings{K: 3, Iterations: 50}
			if i == 2 {
				s.Observe = func(anneal.Epoch) {}
			}
			r := anneals(t, d, s)
			if first == nil {
				first = r
			}
			if !reflect.DeepEqual(r, first) {
				t.Errorf("%d batches: run %d differs from the first", parts, i+1)
			}
		}
	}
}

// TestBatchOrder checks that every epoch uses each batch once, and that each batch is sometimes the last one.
func TestBatchOrder(t *testing.T) {
	const parts, epochs = 6, 30
	l := anneal.Uniform(10, 1, 0)
	d := linear(1, 60, l, spread(l, 1), 0.5)
	d.Parts = parts
	var order []int
	obj := watched{Curved: d, eval: func(batch int) error {
		order = append(order, batch)
		return nil
	}}
	anneals(t, obj, anneal.Settings{K: 2, Iterations: epochs})
	order = order[parts:] // without the evaluation of the null loss
	if len(order) != parts*epochs {
		t.Fatalf("%d batches were visited, want %d", len(order), parts*epochs)
	}
	last := map[int]bool{}
	for round := range slices.Chunk(order, parts) {
		for i, b := range round {
			if b != (round[0]+i)%parts {
				t.Fatalf("an epoch visits the batches %v", round)
			}
		}
		last[round[parts-1]] = true
	}
	if len(last) != parts {
		t.Errorf("of %d batches only %v come last", parts, last)
	}
}
