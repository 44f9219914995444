package plots

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
)

// Chart is a plot of curves.
type Chart struct {
	Title      string // may be empty
	X, Y       string // labels of the axes
	LogX, LogY bool
	// WholeX and WholeY say that an axis counts something, so that its marks are integers.
	WholeX, WholeY bool
	// The ends of the axes; those of the curves if both are equal.
	XRange, YRange [2]float64
	Curves         []Curve
	Bars           []Bar
	Rules          []Rule
	// Warp are values at equal distances along the horizontal axis, increasing, for an axis that
	// gives more space to ranges with many rows; nil for a linear or logarithmic axis.
	Warp []float64
	// WarpY are those along the vertical axis.
	WarpY []float64
	// Heat are cells below everything else; nil for none.
	Heat *Heat
	// Keys are entries of the legend on a page, besides those of the curves.
	Keys []Key
	// Rug are values that are marked along the horizontal axis.
	Rug []float64
	// Apart are marks beside the right end of the horizontal axis, such as that of missing values.
	Apart []Apart
	// YNames are written beside 0, 1, …, from top to bottom, instead of numbers, and XNames below.
	XNames, YNames []string
	// YTails are written after YNames and never cut: values, or shares.
	YTails []string
}

// Curve is a line through points.
type Curve struct {
	Name  string
	X, Y  []float64
	Dots  bool // mark the points, which were measured
	Steps bool // constant until the next point
	// Tint is a colour of [Safe], from 1 on, Dull or Plain; 0 means that of the legend.
	Tint      int
	NoLine    bool // only dots
	Dashed    bool
	Low, High []float64 // a band around it; nil for none
	Label     string    // at its end, instead of a legend
	Tips      []string  // text for each dot on a page
	BandOnly  bool      // neither line nor dots
}

// Apart is a mark of something without a position on the horizontal axis.
type Apart struct {
	Name, Share string // its name and share; marks with the same name are drawn at the same position
	Y           float64
	Range       [2]float64 // of an interval; both equal for none
	Tint        int
	Label, Tip  string
}

// Bar is a rectangle.
type Bar struct {
	X0, X1, Y0, Y1 float64
	Tint           int
	Shade          float64 // opacity; 0 means 1
	Tip            string
	Label          string     // at its end
	Range          [2]float64 // of an interval along it; both equal for none
}

// Rule is a line across the chart.
type Rule struct {
	At       float64
	Vertical bool
	Label    string
	Before   bool // the label is left of it, if there is room
	Diagonal bool // from corner to corner, whatever At is
}

// span sets the ends of an axis to the given ones, or else to those of the curves plus a margin,
// which is constant for a constant curve.
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

// beyond returns the share by which an axis extends beyond the curves, so that no dot and no bar is
// cut.
func (c *Chart) beyond() float64 {
	if len(c.YNames) > 0 || slices.ContainsFunc(c.Curves, func(l Curve) bool { return l.NoLine }) {
		return 0.04
	}
	return 0
}

// Key is a colour of the legend and its meaning.
type Key struct{ Class, Text string }
