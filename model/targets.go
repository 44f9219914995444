package model

import (
	"fmt"
	"math"
	"slices"

	"fsa/data"
	"fsa/loss"
)

// MaxTargets is the largest number of targets of a model.
const MaxTargets = 1000

// several are several targets as they are learned: labels as −1 and +1, and numbers in units of their standard deviations
// from their means, so that each of them counts alike.
type several struct {
	columns []TargetColumn
	// each holds the targets in their own units, and learned what the loss gets. NaN is a missing target.
	each    []data.Vector
	learned [][]float64
	// means and deviations of numbers; nil for labels.
	means, deviations []float64
}

// newSeveral encodes several targets for a loss.
func newSeveral(file string, t *data.Target, task loss.Task) (*several, error) {
	s := &several{}
	add := s.addNumber
	if task == loss.Multilabel {
		add = s.addLabel
	}
	for c := range t.Each {
		if msg := add(known(t, c), &t.Each[c]); msg != "" {
			return nil, &data.Error{File: file, Column: t.Each[c].Name, Msg: msg}
		}
	}
	return s, nil
}

// autoTargets chooses the loss of several targets: labels if all have two values, and numbers if none has two values or
// texts.
func autoTargets(t *data.Target) (string, error) {
	var labels, numbers []string
	for c := range t.Each {
		if v := &t.Each[c]; v.Categories != nil || len(distinct(known(t, c))) == 2 {
			labels = append(labels, v.Name)
		} else {
			numbers = append(numbers, v.Name)
		}
	}
	switch {
	case numbers == nil:
		return "multilabel", nil
	case labels == nil:
		return "multitarget", nil
	}
	return "", optionError("the targets are of different kinds: %s has texts or two values, and %s has numbers: give only labels or only numbers, or --loss multitarget if all of them are numbers", labels[0], numbers[0])
}

// known returns target c of several as a target of the rows that have it.
func known(t *data.Target, c int) *data.Target {
	v := &t.Each[c]
	if !slices.ContainsFunc(v.Values, math.IsNaN) {
		return &data.Target{Name: v.Name, Y: v.Values, Categories: v.Categories, Weight: t.Weight}
	}
	to := &data.Target{Name: v.Name, Categories: v.Categories}
	for i, y := range v.Values {
		if y != y {
			continue
		}
		if to.Y = append(to.Y, y); t.Weight != nil {
			to.Weight = append(to.Weight, t.Weight[i])
		}
	}
	return to
}

// addLabel adds a label. It returns what is wrong with it, or "".
func (s *several) addLabel(known *data.Target, v *data.Vector) string {
	values := distinct(known)
	switch n := len(values); {
	case n > 2:
		return fmt.Sprintf("the target has more than two classes (%q, %q, %q, …), but each of several labels has two: fit this target alone", className(known, values[0]), className(known, values[1]), className(known, values[2]))
	case n < 2:
		return "the target is the same in all rows: it must have two classes; leave it out"
	}
	no, yes := className(known, values[0]), className(known, values[1])
	if v.Categories != nil && no > yes {
		no, yes = yes, no
	}
	y := make([]float64, len(v.Values))
	for i, x := range v.Values {
		switch {
		case x != x:
			y[i] = x
		case className(known, x) == yes:
			y[i] = 1
		default:
			y[i] = -1
		}
	}
	s.columns = append(s.columns, TargetColumn{v.Name, []string{no, yes}})
	s.each, s.learned = append(s.each, data.Vector{Name: v.Name, Values: y}), append(s.learned, y)
	return ""
}

// addNumber adds a number. It returns what is wrong with it, or "".
func (s *several) addNumber(known *data.Target, v *data.Vector) string {
	if v.Categories != nil {
		return fmt.Sprintf("the target is text (%q, …), but several targets of the multitarget loss are numbers: leave it out, or fit it alone", v.Categories[0])
	}
	mean, deviation := moments(known)
	if !(deviation > 0) {
		return "the target is the same in all rows: it must have at least two values; leave it out"
	}
	y := make([]float64, len(v.Values))
	for i, x := range v.Values {
		y[i] = x/deviation - mean/deviation
	}
	s.columns = append(s.columns, TargetColumn{Name: v.Name})
	s.each, s.learned = append(s.each, *v), append(s.learned, y)
	s.means, s.deviations = append(s.means, mean), append(s.deviations, deviation)
	return ""
}

// moments returns the mean and the standard deviation of a response. The deviation is 0 if all rows with a weight are equal.
func moments(t *data.Target) (mean, deviation float64) {
	weight, total, largest := loss.Target{Weight: t.Weight}, 0.0, 0.0
	for i, y := range t.Y {
		total += weight.WeightOf(i)
		largest = max(largest, math.Abs(y))
	}
	if len(distinct(t)) < 2 {
		return 0, 0
	}
	for i, y := range t.Y {
		mean += weight.WeightOf(i) / total * (y / largest) // relative to the largest, so that no square overflows
	}
	squares := 0.0
	for i, y := range t.Y {
		e := y/largest - mean
		squares += weight.WeightOf(i) / total * e * e
	}
	return mean * largest, math.Sqrt(squares) * largest
}

// restore converts decision values, row after row, back to the units of the targets.
func (s *several) restore(z []float64) {
	for i := range z {
		if c := i % len(s.columns); s.deviations != nil {
			z[i] = z[i]*s.deviations[c] + s.means[c]
		}
	}
}
