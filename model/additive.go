package model

import (
	"math"
	"slices"

	"fsa/data"
	"fsa/data/kind"
	"fsa/loss"
)

// Kind is the form of a term.
type Kind string

// The kinds.
const (
	Linear   Kind = linear      // a slope times the distance from a center
	Curve    Kind = curve       // piecewise linear between knots, constant beyond
	Steps    Kind = steps       // constant in each of the bins, and beyond
	Category Kind = categorical // one number per category
)

// Link turns decision values into predictions.
type Link = loss.Link

// The links; see [loss.Link].
const (
	NoLink   = loss.Identity     // the loss gives no probabilities
	Exp      = loss.Exp          // the predicted number is the exponential of the decision value
	Logistic = loss.LogisticLink // the probability of the last of two classes
	Softmax  = loss.Softmax      // the probability of each class
	OwnLink  = loss.Own          // a loss of the caller says what the prediction is
)

// Additive is a model as a sum of terms, in the units of the input. A decision value is the
// intercept plus the terms of all variables and what [Model.InteractionAt] says of all interactions.
type Additive struct {
	Link Link
	// Threshold is the decision value above which the last of two classes is predicted.
	Threshold float64
	// Intercept has one number per output, that is, per decision value of a row.
	Intercept []float64
	// Offset names the column that is added to decision values; empty if there is none. Exposure
	// says that the column holds exposures, whose logarithms are added.
	Offset   string
	Exposure bool
	// Terms of the selected variables, the most important first.
	Terms []Term
}

// Term is the contribution of a variable to the decision values of a row.
type Term struct {
	Index int    // position of its column in the input, counted from 0
	Name  string // name of its column, followed by a point and the part, such as the month of a date
	Norm  float64
	Kind  Kind
	// Column is the name of the column alone, and Part that of the part; Part is "" for the whole
	// column. Cells describes what the column holds and how its cells are written.
	Column, Part string
	Cells        kind.Column
	// Coefficients of each output: one slope, the values at the knots, the values in the bins, or
	// the values of the categories.
	Coefficients [][]float64
	// Missing is what a missing value adds to each output. If no value was learned for it, a
	// missing number counts as the mean and a missing text adds nothing.
	Missing []float64
	// Center is where a linear term is zero. Below Low and above High the term is constant.
	Center, Low, High float64
	// Knots of a curve, ascending. Bin b of steps holds the numbers from knot b up to, but not
	// including, knot b+1; the first and the last bin are open-ended.
	Knots []float64
	// Even says that the bins of a curve have the same width. Knots are rounded, and the error
	// matters if they are far from zero compared with their distances. The bin of a number is
	// therefore best computed from its relative position between the first knot and the last.
	Even bool
	// Categories are the texts of a category; any other text adds nothing.
	Categories []string
}

// Additive returns the model as a sum of terms.
func (m *Model) Additive() Additive {
	s := &m.spec
	a := Additive{Link: s.link(), Threshold: s.Threshold, Intercept: slices.Clone(s.Intercept), Offset: s.Training.Offset, Exposure: s.Training.Exposure, Terms: make([]Term, len(s.Variables))}
	for i := range s.Variables {
		a.Terms[i] = s.Variables[i].term(s)
	}
	return a
}

// link returns the function that turns decision values into predictions.
func (s *spec) link() Link {
	kind, _ := loss.Named(s.Loss)
	if s.Loss == customLoss {
		return s.Link
	}
	if kind.Link == NoLink && s.Calibrated {
		return Logistic
	}
	return kind.Link
}

// term returns the contribution of a variable.
func (v *variable) term(s *spec) Term {
	t := Term{
		Index: v.Index, Name: fullName(v.Name, v.Part), Norm: v.Norm, Kind: Kind(v.Kind), Missing: make([]float64, s.Outputs),
		Column: v.Name, Part: v.Part, Cells: s.kindOf(v.Name),
	}
	if t.Cells.Kind == "" {
		t.Cells.Kind = v.plainKind()
	}
	for own := range slices.Chunk(v.Coefficients, len(v.Coefficients)/s.Outputs) {
		t.Coefficients = append(t.Coefficients, slices.Clone(own))
	}
	for c := range t.Missing {
		if v.Kind != categorical {
			t.Missing[c] = v.part(math.NaN(), c, s) + 0 // turns −0 into 0
		} else if last := len(v.Levels) - 1; v.Levels[last] == "" {
			t.Missing[c] = t.Coefficients[c][last]
		}
	}
	switch v.Kind {
	case linear:
		t.Center = v.Center
		t.Low, t.High = v.reach()
	case curve:
		t.Knots, t.Even = slices.Clone(v.knots(s.Bins)), v.Knots == nil
	case steps:
		t.Knots = v.edges(s.Bins)
	case categorical:
		t.Categories = slices.Clone(v.Levels)
	}
	return t
}

// edges returns the smallest number in each bin of steps, and the end of the last bin. A number on
// an edge, which is common for integers, must fall into the same bin wherever edges are compared.
// So edges are found by searching for the numbers where the bin changes, not by dividing the range.
func (v *variable) edges(bins int) []float64 {
	at := make([]float64, bins+1)
	at[0], at[bins] = v.Low, v.High
	first, last := ordered(v.Low), ordered(v.High)
	for b := 1; b < bins; b++ {
		lo, hi := first, last
		for lo < hi {
			mid := lo + (hi-lo)/2
			if bin, _ := data.Knot(data.Place(unordered(mid), v.Low, v.High), bins); bin >= b {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		at[b] = unordered(lo)
	}
	return at
}

// ordered maps floats to integers in the same order.
func ordered(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

// unordered is the inverse of ordered.
func unordered(n uint64) float64 {
	if n>>63 == 1 {
		return math.Float64frombits(n &^ (1 << 63))
	}
	return math.Float64frombits(^n)
}
