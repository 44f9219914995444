package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
)

// Chart is a plot of curves over one another.
type Chart struct {
	Title      string // may be empty
	X, Y       string // what the axes are
	LogX, LogY bool
	// WholeX and WholeY say that an axis counts something, so that marks are whole numbers.
	WholeX, WholeY bool
	// The ends of the axes; those of the curves where both are the same.
	XRange, YRange [2]float64
	Curves         []Curve
	Bars           []Bar
	Rules          []Rule
	// YNames stand beside 0, 1, …, from top to bottom, instead of numbers, and XNames below.
	XNames, YNames []string
}

// Curve is a line through points.
type Curve struct {
	Name  string
	X, Y  []float64
	Dots  bool // mark the points, which were measured
	Steps bool // level until the next point
	// Tint is a colour of [Safe], from 1 on, or Dull; 0 means that of the legend.
	Tint      int
	NoLine    bool // dots alone
	Dashed    bool
	Low, High []float64 // a band around it; nil for none
	Label     string    // at its end, instead of a legend
	Tips      []string  // what is said of each dot on a page
}

// Bar is a rectangle.
type Bar struct {
	X0, X1, Y0, Y1 float64
	Tint           int
	Shade          float64 // how much of its colour is seen; 0 means all
	Tip            string
}

// Rule is a line across the chart.
type Rule struct {
	At       float64
	Vertical bool
	Label    string
	Before   bool // the label stands left of it, if there is room
	Diagonal bool // from corner to corner, whatever At is
}

// span sets the ends of an axis to those that are given, or else beyond those of
// the curves by a share of their distance; around a level line there is some room.
func span(a *plot.Axis, given [2]float64, log bool, beyond float64) {
	switch {
	case given[0] != given[1]:
		a.Min, a.Max = given[0], given[1]
	case a.Min == a.Max && log:
		a.Min, a.Max = a.Min/2, a.Max*2
	case a.Min == a.Max:
		a.Min, a.Max = a.Min-0.05, a.Max+0.05
	case log:
		factor := math.Pow(a.Max/a.Min, beyond)
		a.Min, a.Max = a.Min/factor, a.Max*factor
	default:
		beyond *= a.Max - a.Min
		a.Min, a.Max = a.Min-beyond, a.Max+beyond
	}
}

// beyond returns by which share an axis goes on beyond what is drawn, so that no dot and no
// bar is cut.
func (c *Chart) beyond() float64 {
	if len(c.YNames) > 0 || slices.ContainsFunc(c.Curves, func(l Curve) bool { return l.NoLine }) {
		return 0.04
	}
	return 0
}
