package plots

import (
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sheet is a picture of charts in rows with one legend. Curves of one name look the same in all of
// them; those without points appear in the legend only.
type Sheet struct {
	Width, Height vg.Length // of a chart
	Columns       int       // charts per row, if there are so many; 0 for all
	Charts        []Chart
}

// The margins of the charts of a sheet.
const (
	sheetMargin vg.Length = 12
	sheetTop    vg.Length = 14
)

// chartMarks is the number of marks on an axis.
const chartMarks = 8

// warpMarks is that of a warped axis, whose labels may be near to each other.
const warpMarks = 4

// WriteSVG draws the sheet. The legend is in the last row if there is room for another chart, and
// otherwise on the right.
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
			room, above := s.Charts[i].labelled(), vg.Length(0)
			if s.Charts[i].Heat != nil {
				above = sheetKeyLine / 2
			}
			s.Charts[i].plot(legend, s.Width-2*sheetMargin-room, s.Height-sheetMargin-sheetTop-above).Draw(draw.Crop(cell(i), 0, -room, 0, -above))
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

// labelled returns the width of the texts beyond the right end of the axis: names of curves, and
// values of bars.
func (c *Chart) labelled() (room vg.Length) {
	names, values := Lettering(9, text.XLeft, text.YCenter), Lettering(8, text.XLeft, text.YCenter)
	if c.Heat != nil {
		room = c.Heat.room()
	}
	for _, l := range c.Curves {
		if l.Label != "" {
			room = max(room, names.Width(Fit(names, l.Label, labelRoom)))
		}
	}
	for _, b := range c.Bars {
		if b.Label != "" {
			room = max(room, values.Width(b.Label))
		}
	}
	return room
}

// beside returns about the width of what is left of the horizontal axis.
func (c *Chart) beside() vg.Length {
	marks := (places{c.YNames, c.YTails, true}).Ticks(math.Inf(-1), math.Inf(1))
	if len(c.YNames) == 0 {
		_, y := c.extent()
		marks = axis("", c.LogY, c.WholeY).Marks.Ticks(y[0], y[1])
	}
	wide, style := vg.Length(0), Lettering(markSize, text.XLeft, text.YCenter)
	for _, m := range marks {
		wide = max(wide, style.Width(m.Label))
	}
	const label = 2 * markSize
	return wide + label
}

// legend names the curves in the order of their first occurrence.
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

// plot returns the chart, with the colours of a legend. Its labels are cut if they are longer than the axes.
func (c *Chart) plot(legend Legend, width, height vg.Length) *plot.Plot {
	room := width - c.beside()
	x := axis(Fit(Lettering(labelSize, text.XCenter, text.YBottom), c.X, room), c.LogX, c.WholeX)
	if marks, even := x.Marks.(Ticks); even {
		marks.Room = room
		x.Marks = marks
	}
	const around = 5 * labelSize // the title, the marks and the label of the other axis
	p := Plot(c.Title, x, axis(Fit(Lettering(labelSize, text.XCenter, text.YBottom), c.Y, height-around), c.LogY, c.WholeY), width)
	if c.Heat != nil {
		p.Title.Padding += sheetMarginRoom / 2
		p.Add(c.Heat)
	}
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
		if !line.NoLine && !line.BandOnly {
			p.Add(drawn)
		}
		if last := len(points) - 1; line.Label != "" {
			names = append(names, endName{points[last], line.Label, tint})
		}
		if (line.Dots || line.NoLine) && !line.BandOnly {
			p.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: tint, Radius: 2, Shape: draw.CircleGlyph{}}})
		}
	}
	p.Add(names)
	c.over(p)
	span(&p.X, c.XRange, c.LogX, c.beyond())
	span(&p.Y, c.YRange, c.LogY, 0.03)
	if c.Warp != nil {
		p.X.Scale, p.X.Tick.Marker = warped(c.Warp), warpTicks{c.Warp, warpMarks, room}
	}
	if c.WarpY != nil {
		p.Y.Scale, p.Y.Tick.Marker = warped(c.WarpY), warpTicks{c.WarpY, warpMarks, 0}
	}
	return p
}

// axis returns an axis of a chart.
func axis(label string, log, whole bool) Axis {
	if log {
		return Axis{Label: label, Marks: PowerTicks{}, Log: true}
	}
	return Axis{Label: label, Marks: Ticks{Most: chartMarks, Whole: whole}}
}
