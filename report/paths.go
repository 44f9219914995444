package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fsa/internal/plots"
)

// PathPlot is what [Paths] draws.
type PathPlot struct {
	Title string // may be empty
	First int    // iteration of the first value of each line: 0 if the values include the start
	Lines []Line
}

// Line is the path of one coefficient through the iterations.
type Line struct {
	Name string
	// Values has one value per iteration until the variable was dropped, where the line ends.
	Values []float64
	// Highlight marks the variables that the picture is about, usually the selected ones. They are
	// coloured and drawn on top of the others.
	Highlight bool
}

const (
	pathsWidth  vg.Length = 640
	pathsHeight vg.Length = 380

	greyWidth vg.Length = 0.4

	// These limit the size of the picture, at about 13 bytes per point: for all grey lines
	// together, and for the lines of one colour.
	greyPoints  = 30_000
	colorPoints = 3_000

	// Values beyond this come from a run that diverged; axes that include them would be useless.
	maxValue = 1e100
)

// Paths draws coefficients against iterations as SVG. Grey lines end where their variable was
// dropped; highlighted ones are coloured, with a legend if there are only a few. It is the paper's
// figure of β_j. The picture is smaller than 1 MB for any number of lines.
func Paths(w io.Writer, p PathPlot) error {
	if err := p.check(); err != nil {
		return err
	}
	return plots.Write(w, pathsWidth, pathsHeight, p.draw)
}

func (p *PathPlot) check() error {
	empty := true
	for _, l := range p.Lines {
		empty = empty && len(l.Values) == 0
		for i, v := range l.Values {
			if !(math.Abs(v) <= maxValue) {
				return fmt.Errorf("report: %s has the value %v at iteration %d: its size must be at most %g",
					l.Name, v, p.First+i, float64(maxValue))
			}
		}
	}
	if empty {
		return errors.New("report: no values to draw")
	}
	return nil
}

// draw draws the plot, with the legend beside it.
func (p *PathPlot) draw(c draw.Canvas) {
	c = draw.Crop(c, 14, -14, 12, -14)

	shown := p.highlighted()
	var legend plots.Legend
	if len(shown) <= len(plots.Palette) { // with more, colours would repeat
		for _, l := range shown {
			legend = append(legend, l.Name)
		}
	}
	area := draw.Crop(c, 0, -legend.Width(), 0, 0)
	chart := p.chart(shown, area.Max.X-area.Min.X)
	chart.Draw(area)
	c.Max.Y = chart.DataCanvas(area).Max.Y
	legend.Draw(c)
}

// highlighted returns the highlighted lines ordered by their last value, the highest first, as in
// the picture from top to bottom. Line i has colour i of the palette, which repeats.
func (p *PathPlot) highlighted() []Line {
	lines := slices.DeleteFunc(slices.Clone(p.Lines), func(l Line) bool {
		return !l.Highlight || len(l.Values) == 0
	})
	slices.SortStableFunc(lines, func(a, b Line) int {
		return cmp.Compare(b.Values[len(b.Values)-1], a.Values[len(a.Values)-1])
	})
	return lines
}

// chart returns the plot without the legend.
func (p *PathPlot) chart(shown []Line, width vg.Length) *plot.Plot {
	chart := plots.Plot(p.Title, plots.Axis{Label: "iteration", Marks: plots.Ticks{Whole: true}}, plots.Axis{Label: "β", Marks: plots.Ticks{}}, width)
	chart.Add(polylines{p.grey(), p.First, draw.LineStyle{Color: plots.Grey, Width: greyWidth}, greyPoints})
	// The first in the legend are drawn last, on top of the others.
	for i, c := range slices.Backward(plots.Palette[:min(len(shown), len(plots.Palette))]) {
		var same [][]float64
		for n := i; n < len(shown); n += len(plots.Palette) {
			same = append(same, shown[n].Values)
		}
		chart.Add(polylines{same, p.First, draw.LineStyle{Color: c, Width: plots.CurveWidth}, colorPoints})
	}

	low, high, last := 0.0, 0.0, 1
	for _, l := range p.Lines {
		for _, v := range l.Values {
			low, high = min(low, v), max(high, v)
		}
		last = max(last, len(l.Values)-1)
	}
	if low == high {
		low, high = -1, 1
	}
	margin := 0.03 * (high - low)
	chart.X.Min, chart.X.Max = float64(p.First), float64(p.First+last)
	chart.Y.Min, chart.Y.Max = low-margin, high+margin
	return chart
}

// grey returns the lines that are not highlighted.
func (p *PathPlot) grey() [][]float64 {
	var values [][]float64
	for _, l := range p.Lines {
		if !l.Highlight {
			values = append(values, l.Values)
		}
	}
	return values
}

// polylines draws lines of one style with no more points than are visible.
type polylines struct {
	values [][]float64
	first  int
	style  draw.LineStyle
	budget int
}

var _ plot.Plotter = polylines{}

// Plot draws the lines on c.
func (l polylines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	lines := make([][]vg.Point, len(l.values))
	for i, values := range l.values {
		for e, v := range values {
			lines[i] = append(lines[i], vg.Point{X: x(float64(l.first + e)), Y: y(v)})
		}
	}
	// One path for all lines: separate paths would repeat the style, which is longer than most
	// lines.
	var path vg.Path
	for _, line := range thin(lines, l.budget) {
		path.Move(line[0])
		for _, p := range line[1:] {
			path.Line(p)
		}
	}
	if len(path) > 0 {
		c.SetLineStyle(l.style)
		c.Stroke(path)
	}
}
