package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a table of numbers drawn as cells, with zero in the middle of its colours.
type Heat struct {
	X, Y     []float64   // edges of the cells, increasing
	Z        [][]float64 // numbers of the cells: for each column, from left to right, those from bottom to top
	Tips     [][]string  // texts of the cells on a page
	Up, Down int         // tints of numbers above and below zero
	Name     string      // what the numbers are
	// Margins are bars above the columns and beside the rows of cells, as shares of the longest one; nil for none. Marked
	// are their texts on a page.
	Margins [2][]float64
	Marked  [2][]string
}

// heatShades is the largest number of shades on each side of zero. Each has a class in the style of pages.
const heatShades = 8

// scale returns the difference of numbers from one shade to the next, and the number of shades below and above zero.
func (h *Heat) scale() (step float64, below, above int) {
	low, high := 0.0, 0.0
	for _, column := range h.Z {
		for _, z := range column {
			low, high = min(low, z), max(high, z)
		}
	}
	most := max(high, -low)
	if !(most > 0) {
		return 1, 0, 0
	}
	step = Ticks{Most: heatShades}.step(most)
	if !(step > 0) || math.IsInf(step, 0) { // at the ends of the range of numbers
		step = most
	}
	return step, shadeOf(-low, step), shadeOf(high, step)
}

// shadeOf returns the number of the shade of a positive number; 0 for zero.
func shadeOf(z, step float64) int { return min(int(math.Ceil(z/step*(1-1e-9))), heatShades) }

// shade returns the tint of a number, and how strong it is, from 0 for zero to heatShades for the largest of most shades.
func (h *Heat) shade(z, step float64, most int) (tint, strength int) {
	if z < 0 {
		return h.Down, shadeOf(-z, step) * heatShades / max(most, 1)
	}
	return h.Up, shadeOf(z, step) * heatShades / max(most, 1)
}

// heatKey is a shade of the legend.
type heatKey struct {
	tint, strength int
	label          string // of its lower edge; empty if there is no room
}

// keys returns the legend from bottom to top, and the label of its upper end. At most the given number of labels fit.
func (h *Heat) keys(fit int) (keys []heatKey, top string) {
	step, below, above := h.scale()
	every := 1
	for (below+above+1)/every > max(fit, 3) {
		every++
	}
	name := func(i int) string {
		if i%every != 0 {
			return ""
		}
		return label(float64(i)*step, step)
	}
	for i := -below; i < above; i++ {
		tint, strength := h.shade((float64(i)+0.5)*step, step, max(below, above))
		keys = append(keys, heatKey{tint, strength, name(i)})
	}
	return keys, name(above)
}

// The dimensions beside the cells in a picture: bars, the legend, and the name of the numbers.
const (
	sheetMarginRoom vg.Length = 16
	sheetKeyWidth   vg.Length = 9
	sheetKeyLine    vg.Length = 12
	sheetKeyName    vg.Length = 14
)

// room returns the width that a picture needs beside the cells.
func (h *Heat) room() vg.Length {
	style := Lettering(8, text.XLeft, text.YCenter)
	keys, top := h.keys(2*heatShades + 1)
	wide := style.Width(top)
	for _, k := range keys {
		wide = max(wide, style.Width(k.label))
	}
	return sheetMarginRoom + sheetKeyWidth + 8 + wide + sheetKeyName
}

var _ plot.Plotter = (*Heat)(nil)

// Plot draws the cells on c, and the bars and the legend beside it.
func (h *Heat) Plot(c draw.Canvas, p *plot.Plot) {
	step, below, above := h.scale()
	x, y := p.Transforms(&c)
	fill := func(tint, strength int, x0, y0, x1, y1 vg.Length) {
		if strength == 0 {
			return
		}
		c.FillPolygon(pale(colorOf(tint), float64(strength)/heatShades), []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
	}
	const over vg.Length = 0.3 // so that no paper is seen between cells
	for i, column := range h.Z {
		for j, z := range column {
			tint, strength := h.shade(z, step, max(below, above))
			fill(tint, strength, x(h.X[i]), y(h.Y[j]), min(x(h.X[i+1])+over, c.Max.X), min(y(h.Y[j+1])+over, c.Max.Y))
		}
	}
	bar := func(x0, y0, x1, y1 vg.Length) {
		c.FillPolygon(Grey, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
	}
	const thin, gap vg.Length = 0.4, 2
	for i, share := range h.Margins[0] {
		bar(x(h.X[i]), c.Max.Y+gap, x(h.X[i+1])-thin, c.Max.Y+gap+vg.Length(share)*(sheetMarginRoom-2*gap))
	}
	for j, share := range h.Margins[1] {
		bar(c.Max.X+gap, y(h.Y[j]), c.Max.X+gap+vg.Length(share)*(sheetMarginRoom-2*gap), y(h.Y[j+1])-thin)
	}
	keys, top := h.keys(int((c.Max.Y - c.Min.Y) / sheetKeyLine))
	style := Lettering(8, text.XLeft, text.YCenter)
	left, at := c.Max.X+sheetMarginRoom+2, c.Min.Y
	each := (c.Max.Y - c.Min.Y) / vg.Length(max(len(keys), 1))
	for _, k := range keys {
		fill(k.tint, k.strength, left, at, left+sheetKeyWidth, at+each)
		c.FillText(style, vg.Point{X: left + sheetKeyWidth + 3, Y: at}, k.label)
		at += each
	}
	c.FillText(style, vg.Point{X: left + sheetKeyWidth + 3, Y: at}, top)
	name := Lettering(10, text.XCenter, text.YBottom)
	name.Rotation = math.Pi / 2
	c.FillText(name, vg.Point{X: c.Max.X + h.room(), Y: (c.Min.Y + c.Max.Y) / 2}, Fit(name, h.Name, c.Max.Y-c.Min.Y))
}
