package plots

import (
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
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

// Sheet is a picture of charts in rows with one legend. Curves of one name look
// the same in all of them; those without points only have their place in the legend.
type Sheet struct {
	Width, Height vg.Length // of a chart
	Columns       int       // charts side by side, if there are so many; 0 for all
	Charts        []Chart
}

// The space around the charts of a sheet.
const (
	sheetMargin vg.Length = 12
	sheetTop    vg.Length = 14
)

// chartMarks is how many marks there is room for on an axis.
const chartMarks = 8

// WriteSVG draws the sheet. The legend stands in the last row where there is room
// for another chart, and otherwise on the right.
func (s Sheet) WriteSVG(w io.Writer) error { return s.WriteAs(w, "svg") }

// WriteAs draws the sheet in one of [Formats].
func (s Sheet) WriteAs(w io.Writer, format string) error {
	columns := max(len(s.Charts), 1)
	if s.Columns > 0 {
		columns = min(columns, s.Columns)
	}
	rows := (len(s.Charts) + columns - 1) / columns
	legend := s.legend()
	width, height := s.Width*vg.Length(columns), s.Height*vg.Length(rows)
	free := rows*columns > len(s.Charts)
	if !free {
		width += legend.Width() + sheetMargin
	}
	return WriteAs(w, format, width, height, func(c draw.Canvas) {
		cell := func(i int) draw.Canvas {
			left, top := s.Width*vg.Length(i%columns), height-s.Height*vg.Length(i/columns)
			return draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left + sheetMargin, Y: top - s.Height + sheetMargin},
				Max: vg.Point{X: left + s.Width - sheetMargin, Y: top - sheetTop},
			}}
		}
		for i := range s.Charts {
			s.Charts[i].plot(legend, s.Width-2*sheetMargin).Draw(cell(i))
		}
		at := cell(len(s.Charts))
		if !free {
			at = draw.Crop(c, 0, -sheetMargin, 0, -sheetTop)
		} else {
			at.Max.X = at.Min.X + legend.Width() - legendMargin
		}
		legend.Draw(at)
	})
}

// legend names the curves as they first occur.
func (s Sheet) legend() Legend {
	var names Legend
	for _, c := range s.Charts {
		for _, line := range c.Curves {
			if line.Name != "" && line.Tint == 0 && !slices.Contains(names, line.Name) {
				names = append(names, line.Name)
			}
		}
	}
	return names
}

// plot returns the chart, with the colours of a legend.
func (c *Chart) plot(legend Legend, width vg.Length) *plot.Plot {
	p := Plot(c.Title, axis(c.X, c.LogX, c.WholeX), axis(c.Y, c.LogY, c.WholeY), width)
	c.under(p)
	var names endNames
	for _, line := range c.Curves {
		if len(line.X) == 0 {
			continue
		}
		points := make(plotter.XYs, len(line.X))
		for i := range points {
			points[i] = plotter.XY{X: line.X[i], Y: line.Y[i]}
		}
		tint := line.color(legend)
		drawn := &plotter.Line{XYs: points, LineStyle: draw.LineStyle{Color: tint, Width: CurveWidth}}
		if line.Tint == Dull {
			drawn.Width = dullWidth
		}
		if line.Dashed {
			drawn.Dashes = []vg.Length{4, 3}
		}
		if line.Steps {
			drawn.StepStyle = plotter.PostStep
		}
		if line.Low != nil {
			p.Add(line.band(tint))
		}
		if !line.NoLine {
			p.Add(drawn)
		}
		if last := len(points) - 1; line.Label != "" {
			names = append(names, endName{points[last], line.Label, tint})
		}
		if line.Dots || line.NoLine {
			p.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: tint, Radius: 2, Shape: draw.CircleGlyph{}}})
		}
	}
	p.Add(names)
	c.over(p)
	span(&p.X, c.XRange, c.LogX, c.beyond())
	span(&p.Y, c.YRange, c.LogY, 0.03)
	return p
}

// axis returns an axis of a chart.
func axis(label string, log, whole bool) Axis {
	if log {
		return Axis{Label: label, Marks: PowerTicks{}, Log: true}
	}
	return Axis{Label: label, Marks: Ticks{Most: chartMarks, Whole: whole}}
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
