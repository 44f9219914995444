package plots

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dull is the tint of the background curves, and Plain that of curves whose colour means nothing.
const (
	Dull  = -1
	Plain = -2
)

// dullWidth is the width of dull lines. There may be many.
const dullWidth vg.Length = 0.6

// bandShade is the opacity of a band.
const bandShade = 0x38

// Tint returns the number of a colour of Safe for each of several things in order.
func Tint(i int) int { return 1 + i%len(Safe) }

// colorOf returns the colour of a tint that is not 0.
func colorOf(tint int) color.Color {
	switch tint {
	case Dull:
		return Grey
	case Plain:
		return Ink
	}
	return Safe[(tint-1)%len(Safe)]
}

// pale mixes a colour with the white of the paper.
func pale(c color.Color, share float64) color.Color {
	r, g, b, _ := c.RGBA()
	mix := func(v uint32) uint8 { return uint8(255 - share*(255-float64(v>>8))) }
	return color.RGBA{mix(r), mix(g), mix(b), 255}
}

// color returns the colour of a curve.
func (c *Curve) color(legend Legend) color.Color {
	if c.Tint != 0 {
		return colorOf(c.Tint)
	}
	return legend.Color(max(slices.Index(legend, c.Name), 0))
}

// band returns the area between Low and High.
func (c *Curve) band(tint color.Color) *plotter.Polygon {
	var ring plotter.XYs
	for i, x := range c.X {
		ring = append(ring, plotter.XY{X: x, Y: c.High[i]})
	}
	for i, x := range slices.Backward(c.X) {
		ring = append(ring, plotter.XY{X: x, Y: c.Low[i]})
	}
	r, g, b, _ := tint.RGBA()
	return &plotter.Polygon{XYs: []plotter.XYs{ring}, Color: color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), bandShade}}
}

// under draws everything below the curves.
func (c *Chart) under(p *plot.Plot) {
	for _, b := range c.Bars {
		tint := colorOf(b.Tint)
		if b.Shade > 0 {
			tint = pale(tint, b.Shade)
		}
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{{{X: b.X0, Y: b.Y0}, {X: b.X1, Y: b.Y0}, {X: b.X1, Y: b.Y1}, {X: b.X0, Y: b.Y1}}}, Color: tint})
		if b.Label != "" {
			p.Add(labelled{b})
		}
		if b.Range[0] != b.Range[1] {
			p.Add(ranged{b})
		}
	}
	if len(c.YNames) > 0 {
		p.Y.Tick.Marker = places{c.YNames, c.YTails, true}
	}
	if len(c.XNames) > 0 {
		p.X.Tick.Marker = places{c.XNames, nil, false}
	}
}

// over draws the rules.
func (c *Chart) over(p *plot.Plot) {
	for _, r := range c.Rules {
		p.Add(ruled{r})
		if r.Label != "" && r.Vertical {
			p.Add(written{x: r.At, text: r.Label, before: r.Before})
		}
	}
	p.Add(rug(c.Rug))
	for _, a := range c.Apart {
		p.Add(ruled{Rule{At: a.Y}}, beside{a})
	}
}

// ruled draws a rule.
type ruled struct{ Rule }

var _ plot.Plotter = ruled{}

// Plot draws the line on c.
func (r ruled) Plot(c draw.Canvas, p *plot.Plot) {
	style := draw.LineStyle{Color: Ink, Width: 0.7, Dashes: []vg.Length{2, 2}}
	x, y := p.Transforms(&c)
	switch {
	case r.Diagonal:
		low, high := max(p.X.Min, p.Y.Min), min(p.X.Max, p.Y.Max)
		c.StrokeLine2(style, x(low), y(low), x(high), y(high))
	case r.Vertical:
		c.StrokeLine2(style, x(r.At), c.Min.Y, x(r.At), c.Max.Y)
	default:
		c.StrokeLine2(style, c.Min.X, y(r.At), c.Max.X, y(r.At))
	}
}

// written is a text below the top of the chart, right of a position.
type written struct {
	x      float64
	text   string
	before bool // left of it
}

var _ plot.Plotter = written{}

// Plot writes the text on c.
func (w written) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	style := Lettering(9, text.XLeft, text.YTop)
	at := vg.Point{X: x(w.x) + 4, Y: c.Max.Y}
	room := c.Max.X - at.X
	if s := Fit(style, w.text, labelRoom); style.Width(s) > room || w.before && at.X-c.Min.X > style.Width(s) {
		style.XAlign = text.XRight
		at.X -= 8
	}
	c.FillText(style, at, Fit(style, w.text, labelRoom))
}

// labelRoom is the width of a label in a chart.
const labelRoom vg.Length = 110

// places puts names at whole numbers.
type places struct {
	names []string
	tails []string // after the names; nil for none
	down  bool     // the first is on top, at 0, and the others at −1, −2, …
}

var _ plot.Ticker = places{}

// Ticks returns the names between low and high.
func (n places) Ticks(low, high float64) []plot.Tick {
	var marks []plot.Tick
	style := Lettering(9, text.XLeft, text.YCenter)
	for i, name := range n.names {
		at := float64(i)
		if n.down {
			at = -at
		}
		if at >= low && at <= high {
			tail := ""
			if i < len(n.tails) {
				tail = n.tails[i]
			}
			marks = append(marks, plot.Tick{Value: at, Label: Isolate(Fit(style, name, nameRoom-style.Width(tail))) + tail})
		}
	}
	return marks
}

// nameRoom is the width of a name beside an axis.
const nameRoom vg.Length = 130
