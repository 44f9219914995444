package plots

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// endNames writes the names of curves at their ends, apart from one another. If there are too many,
// those of the first, less important ones are left out.
type endNames []endName

type endName struct {
	plotter.XY
	text string
	tint color.Color
}

var _ plot.Plotter = endNames(nil)

// Plot writes the names on c.
func (n endNames) Plot(c draw.Canvas, p *plot.Plot) {
	const line vg.Length = 10 // height of a name
	x, y := p.Transforms(&c)
	most := int((c.Max.Y - c.Min.Y) / line)
	n = slices.Clone(n[max(0, len(n)-most):])
	slices.SortStableFunc(n, func(a, b endName) int { return cmp.Compare(a.Y, b.Y) })
	at := make([]vg.Length, len(n))
	for i := range n {
		if at[i] = y(n[i].Y); i > 0 {
			at[i] = max(at[i], at[i-1]+line)
		}
	}
	limit := c.Max.Y
	for i := len(at) - 1; i >= 0; i-- {
		at[i] = min(at[i], limit)
		limit = at[i] - line
	}
	for i := range n {
		style := Lettering(9, text.XLeft, text.YCenter)
		style.Color = n[i].tint
		c.FillText(style, vg.Point{X: x(n[i].X) + 4, Y: at[i]}, Fit(style, n[i].text, labelRoom))
	}
}
