package plots

import "fmt"

// The dimensions beside the cells of a heat map on a page, in pixels: bars, the legend, and the name of the numbers.
const (
	marginRoom = 22
	keyWidth   = 12
	keyLine    = 15
	keyName    = 18
)

// pageRoom returns the width that a page needs beside the cells.
func (h *Heat) pageRoom(height int) float64 {
	keys, top := h.keys(height / keyLine)
	wide := width(top)
	for _, k := range keys {
		wide = max(wide, width(k.label))
	}
	return marginRoom + keyWidth + 8 + wide + keyName - pageRight
}

// heat draws the cells, the bars beside them, and the legend.
func (d *inline) heat(h *Heat) {
	o := d.out
	step, below, above := h.scale()
	class := func(to, strength int) string { return fmt.Sprintf("cell f%s h%d", tint(to, 0), strength) }
	for i, column := range h.Z {
		x0, x1 := px(d.px(h.X[i])), px(d.px(h.X[i+1]))
		for j, z := range column {
			d.shape(class(h.shade(z, step, max(below, above))), fmt.Sprintf("M%s %sH%sV%sH%sz", x0, px(d.py(h.Y[j])), x1, px(d.py(h.Y[j+1])), x0), h.Tips[i][j])
		}
	}
	for i, share := range h.Margins[0] {
		x0, x1, y := d.px(h.X[i]), d.px(h.X[i+1])-0.6, o.Top-3
		d.shape("bar fdull", fmt.Sprintf("M%s %dH%sV%sH%sz", px(x0), y, px(x1), px(float64(y)-share*(marginRoom-6)), px(x0)), h.Marked[0][i])
	}
	for j, share := range h.Margins[1] {
		y0, y1, x := d.py(h.Y[j]), d.py(h.Y[j+1])+0.6, o.Right+3
		d.shape("bar fdull", fmt.Sprintf("M%d %sH%sV%sH%dz", x, px(y0), px(float64(x)+share*(marginRoom-6)), px(y1), x), h.Marked[1][j])
	}
	keys, top := h.keys((o.Bottom - o.Top) / keyLine)
	left, y := o.Right+marginRoom+2, float64(o.Bottom)
	each := float64(o.Bottom-o.Top) / float64(max(len(keys), 1))
	for _, k := range keys {
		d.shape(class(k.tint, k.strength), fmt.Sprintf("M%d %sh%dV%sh-%dz", left, px(y), keyWidth, px(y-each), keyWidth), "")
		d.word(float64(left+keyWidth+4), y+4, "tick", "start", k.label)
		y -= each
	}
	d.word(float64(left+keyWidth+4), y+4, "tick", "start", top)
	o.Words = append(o.Words, Word{X: px(-float64(o.Top+o.Bottom) / 2), Y: fmt.Sprint(o.Width - 4), Class: "name", Anchor: "middle", Text: Cut(h.Name, float64(o.Bottom-o.Top)+30), Turned: true})
}
