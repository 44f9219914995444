package plots

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labelled writes the label of a bar at its end.
type labelled struct{ Bar }

var _ plot.Plotter = labelled{}

// Plot writes the label on c.
func (b labelled) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := Lettering(8, text.XLeft, text.YCenter)
	end := max(b.X0, b.X1)
	if b.Range[0] != b.Range[1] {
		end = max(end, b.Range[1])
	}
	c.FillText(style, vg.Point{X: x(end) + 3, Y: y((b.Y0 + b.Y1) / 2)}, b.Label)
}

// ranged draws the interval of a bar.
type ranged struct{ Bar }

var (
	_ plot.Plotter    = ranged{}
	_ plot.DataRanger = ranged{}
)

// DataRange returns the ends of the interval, for the axes.
func (b ranged) DataRange() (x0, x1, y0, y1 float64) {
	return b.Range[0], b.Range[1], min(b.Y0, b.Y1), max(b.Y0, b.Y1)
}

// Plot draws the interval on c.
func (b ranged) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := y((b.Y0 + b.Y1) / 2)
	c.StrokeLine2(draw.LineStyle{Color: Ink, Width: 1}, x(b.Range[0]), at, x(b.Range[1]), at)
}

// beside labels a mark without a position on the horizontal axis, above its line.
type beside struct{ Apart }

var _ plot.Plotter = beside{}

// Plot draws the mark at the right end of c.
func (b beside) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	at := vg.Point{X: c.Max.X - 4, Y: y(b.Y)}
	Disc(c, at, 2.5, colorOf(b.Tint))
	c.FillText(Lettering(8, text.XRight, text.YBottom), vg.Point{X: at.X - 4, Y: at.Y + 2}, Fit(Lettering(8, text.XRight, text.YBottom), b.Name, labelRoom))
}

// rug marks places along the horizontal axis.
type rug []float64

var _ plot.Plotter = rug(nil)

// Plot draws a short line at each place.
func (r rug) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	for _, v := range r {
		c.StrokeLine2(draw.LineStyle{Color: Grey, Width: 1}, x(v), c.Min.Y, x(v), c.Min.Y+5)
	}
}
