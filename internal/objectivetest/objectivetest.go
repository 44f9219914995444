// Package objectivetest checks that an [anneal.Objective] keeps the promises of the interface. The
// test of a new objective is one call:
//
//	func TestMine(t *testing.T) {
//		objectivetest.Run(t, func() anneal.Objective { return NewMine(smallData) })
//	}
//
// Sums may be as inexact as float32 makes them. The checks assume a continuous gradient; corners of
// the gradient are allowed. A few dozen rows and groups are a good size: enough for every group to
// be dropped once, few enough for an error in one row to be noticed.
package objectivetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/anneal"
)

// Run checks the objective that fresh returns. Every call of fresh must return a new one of the
// same kind, with all its groups alive.
func Run(t *testing.T, fresh func() anneal.Objective) {
	const seed = 22
	for _, check := range checks {
		t.Run(check.name, func(t *testing.T) {
			s := source{rand.New(rand.NewPCG(seed, 0)), fresh}
			for range 5 {
				if err := check.run(s); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

// checks are the promises, each a function that draws what it needs and returns an error that
// describes a broken promise.
var checks = []struct {
	name string
	run  func(source) error
}{
	{"layout", layout},
	{"weight", weight},
	{"gradient", gradient},
	{"inputs", inputs},
	{"keep", keep},
	{"curvature", curvature},
	{"cancel", cancel},
}

// layout checks that coefficients are contiguous.
func layout(s source) error {
	obj := s.fresh()
	l := obj.Layout()
	if l.Groups() < 1 || l.Free < 0 {
		return fmt.Errorf("layout %+v: there must be a group, and Free must not be negative", l)
	}
	end := 0
	for j := range l.Groups() {
		lo, hi := l.Span(j)
		if lo != end || hi <= lo {
			return fmt.Errorf("group %d has coefficients %d to %d: it must begin at %d and have one", j, lo, hi, end)
		}
		end = hi
	}
	if n := obj.Batches(); n < 1 {
		return fmt.Errorf("%d batches: there must be one", n)
	}
	return nil
}

// weight checks that sums are over rows that have a weight, whatever β is.
func weight(s source) error {
	obj := s.fresh()
	here, there := s.beta(obj, 0.1), s.beta(obj, 2)
	var total float64
	for b := range obj.Batches() {
		at, err := eval(obj, b, here)
		if err != nil {
			return err
		}
		if !(at.weight >= 0) {
			return fmt.Errorf("batch %d weighs %g", b, at.weight)
		}
		other, err := eval(obj, b, there)
		if err != nil {
			return err
		}
		if !near(at.weight, other.weight) {
			return fmt.Errorf("batch %d weighs %g at one β and %g at another", b, at.weight, other.weight)
		}
		total += at.weight
	}
	if !(total > 0 && total <= math.MaxFloat64) {
		return fmt.Errorf("all batches together weigh %g: that must be positive and finite", total)
	}
	return nil
}
