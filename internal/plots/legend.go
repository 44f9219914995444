package plots

import (
	"image/color"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Legend lists names, each beside a line in a colour of the palette, which repeats after its last
// colour.
type Legend []string

// The dimensions of a legend: a sample of the line, a gap, the name.
const (
	legendMargin vg.Length = 16 // between plot and legend
	legendSample vg.Length = 14
	legendGap    vg.Length = 6
	legendName   vg.Length = 160 // longer names are cut
	legendLine   vg.Length = 16
)

func legendStyle() text.Style { return Lettering(10, text.XLeft, text.YCenter) }

// Color returns the colour of name i.
func (Legend) Color(i int) color.RGBA { return Palette[i%len(Palette)] }

// Width returns the width of the legend, with its margin.
func (l Legend) Width() vg.Length {
	if len(l) == 0 {
		return 0
	}
	style := legendStyle()
	var name vg.Length
	for _, s := range l {
		name = max(name, style.Width(Fit(style, s, legendName)))
	}
	return legendMargin + legendSample + legendGap + name
}

// Draw lists the names from top to bottom along the right side of c.
func (l Legend) Draw(c draw.Canvas) {
	style := legendStyle()
	x, y := c.Max.X-l.Width()+legendMargin, c.Max.Y-legendLine/2
	for i, s := range l {
		c.StrokeLine2(draw.LineStyle{Color: l.Color(i), Width: CurveWidth}, x, y, x+legendSample, y)
		c.FillText(style, vg.Point{X: x + legendSample + legendGap, Y: y + style.FontExtents().Descent}, Fit(style, s, legendName))
		y -= legendLine
	}
}
