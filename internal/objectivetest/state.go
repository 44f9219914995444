package objectivetest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"fsa/anneal"
)

// inputs checks that Eval does not change its inputs and that its result depends on nothing else.
func inputs(s source) error {
	obj := s.fresh()
	l := obj.Layout()
	for b := range obj.Batches() {
		beta := s.beta(obj, 1)
		before := slices.Clone(beta)
		first, err := eval(obj, b, beta)
		if err != nil {
			return err
		}
		if !slices.Equal(beta, before) {
			return fmt.Errorf("Eval of batch %d changed beta\nfrom %g\nto   %g", b, before, beta)
		}
		if _, err := eval(obj, s.IntN(obj.Batches()), s.beta(obj, 1)); err != nil {
			return err
		}
		again, err := eval(obj, b, beta)
		if err != nil {
			return err
		}
		if err := same(again, first); err != nil {
			return fmt.Errorf("batch %d, the same beta gives another answer: %w\nbeta %g", b, err, beta)
		}
	}
	if now := obj.Layout(); !reflect.DeepEqual(now, l) {
		return fmt.Errorf("Eval changed the layout\nfrom %+v\nto   %+v", l, now)
	}
	return nil
}

// keep checks that dropping groups, a few times in a row, is the same as
// setting their coefficients to zero.
func keep(s source) error {
	obj, whole := s.fresh(), s.fresh()
	all := whole.Layout()
	alive := make([]int, all.Groups())
	for j := range alive {
		alive[j] = j
	}
	// First keep them all: nothing may change. One group always stays.
	groups := slices.Clone(alive)
	for range 6 {
		given := slices.Clone(groups)
		if err := obj.Keep(context.Background(), given); err != nil {
			return fmt.Errorf("Keep: %w", err)
		}
		if !slices.Equal(given, groups) {
			return fmt.Errorf("Keep changed the groups it was given from %v to %v", groups, given)
		}
		for to, from := range groups {
			alive[to] = alive[from]
		}
		alive = alive[:len(groups)]
		if err := restricted(s, obj, whole, alive); err != nil {
			return fmt.Errorf("after Keep(%v), with groups %v of %d alive: %w", groups, alive, all.Groups(), err)
		}
		groups = s.groups(len(alive))
	}
	return nil
}

// restricted compares the rest of an objective with the whole of it.
func restricted(s source, obj, whole anneal.Objective, alive []int) error {
	l := whole.Layout()
	if got, want := obj.Layout(), l.Keep(alive); !got.Equal(want) {
		return fmt.Errorf("the layout is %+v, want %+v", got, want)
	}
	if got, want := obj.Batches(), whole.Batches(); got != want {
		return fmt.Errorf("there are %d batches, want %d", got, want)
	}
	beta := s.beta(obj, 1)
	for b := range obj.Batches() {
		got, err := eval(obj, b, beta)
		if err != nil {
			return err
		}
		want, err := eval(whole, b, embed(l, alive, beta))
		if err != nil {
			return err
		}
		want.grad = restrict(l, alive, want.grad)
		if err := same(got, want); err != nil {
			return fmt.Errorf("batch %d differs from the whole: %w\nbeta %g", b, err, beta)
		}
	}
	return nil
}

// embed is the inverse of restrict: coefficients of other groups are zero.
func embed(l anneal.Layout, groups []int, v []float64) []float64 {
	out := make([]float64, l.Len())
	for _, j := range groups {
		n := copy(l.Of(out, j), v)
		v = v[n:]
	}
	copy(out[len(out)-l.Free:], v)
	return out
}

// cancel checks that a cancelled context stops the work, and that it can continue under another
// context.
func cancel(s source) error {
	cancelled, stop := context.WithCancel(context.Background())
	stop()
	obj := s.fresh()
	beta := s.beta(obj, 1)
	dst := make([]float64, len(beta))
	for b := range obj.Batches() {
		before, err := eval(obj, b, beta)
		if err != nil {
			return err
		}
		if _, _, err := obj.Eval(cancelled, b, dst, beta); !errors.Is(err, context.Canceled) {
			return fmt.Errorf("Eval of batch %d under a cancelled context returned the error %v", b, err)
		}
		if c, ok := obj.(anneal.Curved); ok {
			if _, err := c.Curvature(cancelled, b, dst, beta); !errors.Is(err, context.Canceled) {
				return fmt.Errorf("Curvature of batch %d under a cancelled context returned the error %v", b, err)
			}
		}
		after, err := eval(obj, b, beta)
		if err != nil {
			return err
		}
		if err := same(after, before); err != nil {
			return fmt.Errorf("batch %d gives another answer after a cancelled Eval: %w", b, err)
		}
	}
	return nil
}
