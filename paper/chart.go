package paper

import (
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"fsa/internal/look"
)

// chart is a plot of curves over one another.
type chart struct {
	x, y   string // what the axes are
	logX   bool
	logY   bool
	curves []curve
}

// curve is a line through points. Curves of one name look the same in all
// charts of a picture.
type curve struct {
	name string
	x, y []float64
	dots bool // mark the points, which were measured
}

const (
	chartWidth  vg.Length = 300
	chartHeight vg.Length = 250
	legendWidth vg.Length = 120
	legendLine  vg.Length = 16
	curveWidth  vg.Length = 1.4
)

// sideBySide returns a picture of charts in a row with one legend, and its
// points as a table.
func sideBySide(name string, charts ...chart) picture {
	p := picture{name: name, points: [][]string{{"chart", "curve", "x", "y"}}}
	var names []string
	for _, c := range charts {
		for _, line := range c.curves {
			if !slices.Contains(names, line.name) {
				names = append(names, line.name)
			}
			for i := range line.x {
				p.points = append(p.points, []string{c.y + " against " + c.x, line.name, exact(line.x[i]), exact(line.y[i])})
			}
		}
	}
	p.draw = func(w io.Writer) error {
		width := chartWidth*vg.Length(len(charts)) + legendWidth
		svg := vgsvg.New(width, chartHeight)
		c := draw.NewCanvas(svg, width, chartHeight)
		c.SetColor(color.White)
		c.Fill(c.Rectangle.Path())
		for i := range charts {
			from := chartWidth * vg.Length(i)
			area := draw.Crop(c, from+12, from+chartWidth-12-width, 12, -14)
			charts[i].plot(names).Draw(area)
		}
		drawLegend(draw.Crop(c, width-legendWidth, 0, 0, -20), names)
		_, err := svg.WriteTo(w)
		return err
	}
	return p
}

// plot returns the chart, with the colours of names.
func (c *chart) plot(names []string) *plot.Plot {
	p := plot.New()
	axis(&p.X, c.x, c.logX)
	axis(&p.Y, c.y, c.logY)
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal = draw.LineStyle{Color: look.Faint, Width: 0.5}
	p.Add(grid)
	for _, line := range c.curves {
		points := make(plotter.XYs, len(line.x))
		for i := range points {
			points[i] = plotter.XY{X: line.x[i], Y: line.y[i]}
		}
		tint := look.Palette[slices.Index(names, line.name)%len(look.Palette)]
		p.Add(&plotter.Line{XYs: points, LineStyle: draw.LineStyle{Color: tint, Width: curveWidth}})
		if line.dots {
			p.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: tint, Radius: 2, Shape: draw.CircleGlyph{}}})
		}
	}
	if p.Y.Min == p.Y.Max { // room around a level line
		p.Y.Min, p.Y.Max = p.Y.Min-0.05, p.Y.Max+0.05
	}
	return p
}

// axis gives an axis its label and its looks.
func axis(a *plot.Axis, label string, log bool) {
	look.Axis(a, label, plot.TickerFunc(roundTicks))
	if log {
		a.Scale = plot.LogScale{}
		a.Tick.Marker = plot.TickerFunc(powerTicks)
	}
}

// roundTicks puts about six marks at round numbers.
func roundTicks(low, high float64) []plot.Tick {
	power := math.Pow(10, math.Floor(math.Log10((high-low)/5)))
	step := power
	for _, m := range []float64{1, 2, 5, 10} {
		if step = m * power; (high-low)/step <= 6 {
			break
		}
	}
	var marks []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		label := strconv.FormatFloat(i*step+0, 'g', 6, 64) // adding 0 makes −0 a 0
		marks = append(marks, plot.Tick{Value: i * step, Label: strings.ReplaceAll(label, "-", "−")})
	}
	return marks
}

// powerTicks puts marks at powers of ten, and where these are few also between
// them.
func powerTicks(low, high float64) []plot.Tick {
	between := []float64{1}
	if math.Log10(high/low) < 3 {
		between = []float64{1, 3}
	}
	var marks []plot.Tick
	for e := math.Floor(math.Log10(low)); e <= math.Ceil(math.Log10(high)); e++ {
		for _, m := range between {
			if v := m * math.Pow(10, e); v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				marks = append(marks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'g', -1, 64)})
			}
		}
	}
	return marks
}

// drawLegend lists names in their colours from top to bottom.
func drawLegend(c draw.Canvas, names []string) {
	style := look.Lettering(10, text.XLeft, text.YCenter)
	y := c.Max.Y - legendLine/2
	for i, name := range names {
		c.StrokeLine2(draw.LineStyle{Color: look.Palette[i%len(look.Palette)], Width: curveWidth}, c.Min.X, y, c.Min.X+14, y)
		c.FillText(style, vg.Point{X: c.Min.X + 20, Y: y + style.FontExtents().Descent}, name)
		y -= legendLine
	}
}
