package report

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fsa/internal/look"
)

// The measures of a legend: a sample of the line, a gap, the name.
const (
	legendMargin vg.Length = 16 // between plot and legend
	legendSample vg.Length = 14
	legendGap    vg.Length = 6
	legendName   vg.Length = 130 // longer names are cut
	legendLine   vg.Length = 16
)

func legendStyle() text.Style { return look.Lettering(10, text.XLeft, text.YCenter) }

// legendWidth returns the room that the legend of lines needs, with its margin.
func legendWidth(lines []Line) vg.Length {
	if len(lines) == 0 {
		return 0
	}
	style := legendStyle()
	var name vg.Length
	for _, l := range lines {
		name = max(name, style.Width(fit(style, l.Name, legendName)))
	}
	return legendMargin + legendSample + legendGap + name
}

// drawLegend lists lines, in the colours of the palette, from top to bottom
// along the right side of c.
func drawLegend(c draw.Canvas, lines []Line) {
	style := legendStyle()
	x, y := c.Max.X-legendWidth(lines)+legendMargin, c.Max.Y-legendLine/2
	for i, l := range lines {
		c.StrokeLine2(draw.LineStyle{Color: look.Palette[i], Width: highlightWidth}, x, y, x+legendSample, y)
		c.FillText(style, vg.Point{X: x + legendSample + legendGap, Y: y + style.FontExtents().Descent},
			fit(style, l.Name, legendName))
		y -= legendLine
	}
}
