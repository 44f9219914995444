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
	Category Kind = categorical // a number for each text
)

// Link turns decision values into predictions.
type Link = loss.Link

// The links.
const (
	NoLink   = loss.Identity     // the loss gives no probabilities
	Exp      = loss.Exp          // the exponential is the predicted number
	Logistic = loss.LogisticLink // the probability of the last of two classes
	Softmax  = loss.Softmax      // that of each class
)

// Additive is a model as a sum of terms, in the units of the input. A decision value is the
// intercept plus the terms of the variables.
type Additive struct {
	Link Link
	// Threshold is the decision value above which the last of two classes is predicted.
	Threshold float64
	// Intercept of each output, that is, of each decision value of a row.
	Intercept []float64
	// Offset names the column whose numbers are added to decision values, or their logarithms if it holds
	// exposures; empty if there is none.
	Offset   string
	Exposure bool
	// Terms are those of the chosen variables, the strongest first.
	Terms []Term
}

// Term is what a variable adds to the decision values of a row.
type Term struct {
	Index int    // of its column in the input, counted from 0
	Name  string // of its column, and behind a point of the part of it, such as the month of a date
	Norm  float64
	Kind  Kind
	// Column is the name of the column alone, and Part that of the part; "" for all of the column.
	// Cells says what the column holds, and how its cells are written.
	Column, Part string
	Cells        kind.Column
	// Coefficients are those of each output: one slope, the values at the knots, the
	// values in the bins, or the values of the categories.
	Coefficients [][]float64
	// Missing is what a missing value adds to each output. A missing number counts as
	// the mean and a missing text adds nothing, unless a value was learned for it.
	Missing []float64
	// Center is where a linear term is zero. It is followed from Low to High, and stays
	// beyond as it is there.
	Center, Low, High float64
	// Knots of a curve are where its values lie, ascending. Bin b of steps holds the
	// numbers from knot b on that are less than knot b+1; the first and the last bin
	// have no other end.
	Knots []float64
	// Even says that the bins of a curve have the same width. Knots are rounded, which
	// matters where they are far from zero compared with their distances; so the place
	// of a number is best found by its share of the way from the first knot to the last.
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

// link tells by which function probabilities are made.
func (s *spec) link() Link {
	kind, _ := loss.Named(s.Loss)
	if kind.Link == NoLink && s.Calibrated {
		return Logistic
	}
	return kind.Link
}

// term returns what a variable adds.
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
			t.Missing[c] = v.part(math.NaN(), c, s) + 0 // −0 is 0
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

// edges returns the least number in each bin of steps, and the end of the last one. A
// number that stands at an edge, as whole numbers often do, has to fall on the same
// side of it wherever edges are compared with; so they are found by looking where
// the bin changes, and not by dividing the range.
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

// ordered numbers the floats so that larger ones have larger numbers.
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
