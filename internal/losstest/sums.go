package losstest

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"fsa/loss"
)

// blocks checks that a block may be cut in two, one of which may be empty.
func blocks(l loss.Loss, s source) error {
	p := s.draw(3)
	n := len(p.t.Y)
	cut := s.IntN(n + 1)
	if p.t.Query != nil {
		cut = p.t.Query[s.IntN(len(p.t.Query))]
	}
	whole, head, tail := eval(l, p), eval(l, p.slice(0, cut)), eval(l, p.slice(cut, n))
	both := result{
		d:       slices.Concat(head.d, tail.d),
		sum:     head.sum + tail.sum,
		weight:  head.weight + tail.weight,
		dWeight: head.dWeight + tail.dWeight,
	}
	for c := range p.outputs {
		both.r = slices.Concat(both.r, head.r[c*cut:(c+1)*cut], tail.r[c*(n-cut):(c+1)*(n-cut)])
	}
	if err := same(both, whole); err != nil {
		return fmt.Errorf("cut at row %d, the parts do not give the whole: %w\nmargins %g\ntarget %+v",
			cut, err, p.z, p.t)
	}
	return nil
}

// weights checks that nil weights are weights of 1, that twice the weight is twice everything, and
// that both methods agree on the weight.
func weights(l loss.Loss, s source) error {
	p := s.draw(3)
	at := eval(l, p)
	if !near(at.weight, at.dWeight) {
		return fmt.Errorf("the weight is %g by Eval and %g by Curvature\ntarget %+v", at.weight, at.dWeight, p.t)
	}
	if err := same(eval(l, p.reweighted(2)), at.times(2)); err != nil {
		return fmt.Errorf("twice the weight is not twice the loss: %w\nmargins %g\ntarget %+v", err, p.z, p.t)
	}
	p.t.Weight = nil
	if err := same(eval(l, p), eval(l, p.reweighted(1))); err != nil {
		return fmt.Errorf("no weights are not weights of 1: %w\nmargins %g\ntarget %+v", err, p.z, p.t)
	}
	return nil
}

// copies checks that a repeated row is equivalent to a row of twice the weight.
func copies(l loss.Loss, s source) error {
	if s.Rows != Independent {
		return nil
	}
	p := s.draw(3)
	n := len(p.t.Y)
	row := s.IntN(n)
	rows := []int{}
	for i := range n {
		rows = append(rows, i)
	}
	twice := eval(l, p.pick(append(rows, row)))
	heavy := p.reweighted(1)
	heavy.t.Weight[row] *= 2
	want := eval(l, heavy)
	// Fold the copy, which is the last row, onto the original.
	folded := twice
	folded.r = pickMargins(twice.r, rows, p.outputs)
	folded.d = slices.Clone(twice.d[:n])
	folded.d[row] += twice.d[n]
	for c := range p.outputs {
		folded.r[c*n+row] += twice.r[c*(n+1)+n]
	}
	if err := same(folded, want); err != nil {
		return fmt.Errorf("row %d twice is not row %d of twice the weight: %w\nmargins %g\ntarget %+v",
			row, row, err, p.z, p.t)
	}
	return nil
}

// inputs checks that a loss does not change its inputs and that its result depends on nothing else.
func inputs(l loss.Loss, s source) error {
	p := s.draw(3)
	before := p.clone()
	first := eval(l, p)
	if !reflect.DeepEqual(p, before) {
		return fmt.Errorf("inputs were changed\nfrom %+v\nto   %+v", before, p)
	}
	eval(l, s.draw(3))
	if err := same(eval(l, p), first); err != nil {
		return fmt.Errorf("the same inputs give another answer: %w\nmargins %g\ntarget %+v", err, p.z, p.t)
	}
	return nil
}

// times returns v multiplied by c.
func (v result) times(c float64) result {
	v.r, v.d = slices.Clone(v.r), slices.Clone(v.d)
	for _, x := range [][]float64{v.r, v.d} {
		for k := range x {
			x[k] *= c
		}
	}
	v.sum *= c
	v.weight *= c
	v.dWeight *= c
	return v
}

// same returns an error if got differs from want by more than rounding.
func same(got, want result) error {
	switch {
	case !near(got.sum, want.sum):
		return fmt.Errorf("sum %g, want %g", got.sum, want.sum)
	case !near(got.weight, want.weight):
		return fmt.Errorf("weight by Eval %g, want %g", got.weight, want.weight)
	case !near(got.dWeight, want.dWeight):
		return fmt.Errorf("weight by Curvature %g, want %g", got.dWeight, want.dWeight)
	case !slices.EqualFunc(got.r, want.r, near):
		return fmt.Errorf("derivatives %g, want %g", got.r, want.r)
	case !slices.EqualFunc(got.d, want.d, near):
		return fmt.Errorf("curvatures %g, want %g", got.d, want.d)
	}
	return nil
}

// near reports whether a and b differ by rounding only.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-11*(1+max(math.Abs(a), math.Abs(b)))
}
