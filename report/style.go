package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fsa/internal/look"
)

// widest is more letters than any text of a picture has room for.
const widest = 300

// axis gives an axis its label and its looks.
func axis(a *plot.Axis, label string, marks plot.Ticker) {
	look.Axis(a, label, marks)
	a.LineStyle.Width = 0 // drawn by frame
}

// frame draws the two axes as one line, so that they meet in a corner.
type frame struct{}

var _ plot.Plotter = frame{}

// Plot draws along the left and the lower side of c.
func (frame) Plot(c draw.Canvas, _ *plot.Plot) {
	c.StrokeLines(look.AxisLine, []vg.Point{{X: c.Min.X, Y: c.Max.Y}, c.Min, {X: c.Max.X, Y: c.Min.Y}})
}

// fit returns s without what a document cannot hold, and so much taken out of
// its middle that it is no wider than width. Long names of variables often
// differ at their ends.
func fit(style text.Style, s string, width vg.Length) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || r&0xfffe == 0xfffe {
			return ' '
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) <= widest && style.Width(s) <= width {
		return s
	}
	runes := []rune(s)
	cut := func(n int) string {
		n = min(n, len(runes))
		return string(runes[:(n+1)/2]) + "…" + string(runes[len(runes)-n/2:])
	}
	n := widest
	for n > 0 && style.Width(cut(n)) > width {
		n--
	}
	return cut(n)
}
