package motion

import (
	"fmt"
	"math"
	"slices"
)

// Group is a set of sequences over which errors are averaged.
type Group struct {
	// Name is the name in the published table.
	Name     string
	Category string // "" for all
	Motions  int    // 0 for any number
}

// Groups returns the groups of the published table, in its order.
func Groups() []Group {
	var out []Group
	for _, motions := range []int{2, 3} {
		for _, category := range []string{"checkerboard", "traffic", "articulated"} {
			out = append(out, Group{fmt.Sprintf("%s_%d", category, motions), category, motions})
		}
		out = append(out, Group{fmt.Sprintf("all_%d", motions), "", motions})
	}
	return append(out, Group{Name: "all"})
}

func (g Group) holds(s *Sequence) bool {
	return (g.Category == "" || g.Category == s.Category) && (g.Motions == 0 || g.Motions == s.Motions)
}

// Cell is the error of a method on a group of sequences, in percent: the mean and
// the median over sequences, averaged over assignments, and the standard
// deviation of the mean over assignments.
type Cell struct {
	Group     string  `json:"group"`
	Sequences int     `json:"sequences"`
	Mean      float64 `json:"mean"`
	Median    float64 `json:"median"`
	Spread    float64 `json:"spread"`
}

// Result is the result of a method.
type Result struct {
	Method string `json:"method"`
	// Test and Train have the errors on each group of [Groups]; Train is nil for methods without
	// training.
	Test  []Cell `json:"test"`
	Train []Cell `json:"train,omitempty"`
	// Assignments has the mean test error over all sequences, in percent, of each assignment of
	// videos to folds.
	Assignments []float64 `json:"assignments"`
	// Errors has the test errors of all sequences, in percent, assignment after assignment, for the
	// cumulative curve.
	Errors []float64 `json:"-"`
}

// sample has the error of each sequence, in percent.
type sample []float64

// cell averages the errors of a group over assignments.
func (g Group) cell(list []*Described, samples []sample) Cell {
	c := Cell{Group: g.Name}
	var means []float64
	for _, s := range samples {
		var v []float64
		for i, d := range list {
			if g.holds(d.Sequence) {
				v = append(v, s[i])
			}
		}
		c.Sequences = len(v)
		if len(v) == 0 {
			return c
		}
		m, _ := moments(v)
		means = append(means, m)
		c.Median += median(v) / float64(len(samples))
	}
	mean, square := moments(means)
	c.Mean = mean
	if n := float64(len(means)); n > 1 {
		c.Spread = math.Sqrt(max(square-mean*mean, 0) * n / (n - 1))
	}
	return c
}

// median sorts v and returns its middle.
func median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// fill computes the cells of a result. Trains is nil for methods without training.
func (r *Result) fill(list []*Described, tests, trains []sample) {
	for _, g := range Groups() {
		r.Test = append(r.Test, g.cell(list, tests))
		if trains != nil {
			r.Train = append(r.Train, g.cell(list, trains))
		}
	}
	for _, t := range tests {
		m, _ := moments(t)
		r.Assignments = append(r.Assignments, m)
		r.Errors = append(r.Errors, t...)
	}
}

// Cell returns the test error of a group, or nil.
func (r *Result) Cell(group string) *Cell {
	for i := range r.Test {
		if r.Test[i].Group == group {
			return &r.Test[i]
		}
	}
	return nil
}
