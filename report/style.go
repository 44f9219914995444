package report

import (
	"image/color"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	ink   = color.Gray{0x33} // text and axes
	grey  = color.Gray{0xb4} // what is there but not meant
	faint = color.Gray{0xec} // lines that help to read
)

// widest is more letters than any text of a picture has room for.
const widest = 300

var axisLine = draw.LineStyle{Color: ink, Width: 0.7}

// palette holds colours that can be told apart, and from grey, on white.
var palette = [...]color.RGBA{
	{0x4e, 0x79, 0xa7, 0xff}, // blue
	{0xf2, 0x8e, 0x2b, 0xff}, // orange
	{0xe1, 0x57, 0x59, 0xff}, // red
	{0x59, 0xa1, 0x4f, 0xff}, // green
	{0xb0, 0x7a, 0xa1, 0xff}, // purple
	{0x49, 0x98, 0x94, 0xff}, // teal
	{0x9d, 0x76, 0x60, 0xff}, // brown
	{0xd3, 0x72, 0x95, 0xff}, // pink
	{0xb6, 0x99, 0x2d, 0xff}, // mustard
	{0x2f, 0x4b, 0x7c, 0xff}, // navy
}

// lettering returns the style of text of some size.
func lettering(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  x,
		YAlign:  y,
		Handler: plot.DefaultTextHandler,
	}
}

// axis gives an axis its label and its looks.
func axis(a *plot.Axis, label string, marks plot.Ticker) {
	a.Label.Text = label
	a.Label.Padding = 5
	a.Label.TextStyle = lettering(12, text.XCenter, text.YBottom)
	a.LineStyle.Width = 0 // drawn by frame
	a.Padding = 0
	a.Tick.Marker = marks
	a.Tick.Label = lettering(10, a.Tick.Label.XAlign, a.Tick.Label.YAlign)
	a.Tick.LineStyle = axisLine
	a.Tick.Length = 4
}

// frame draws the two axes as one line, so that they meet in a corner.
type frame struct{}

var _ plot.Plotter = frame{}

// Plot draws along the left and the lower side of c.
func (frame) Plot(c draw.Canvas, _ *plot.Plot) {
	c.StrokeLines(axisLine, []vg.Point{{X: c.Min.X, Y: c.Max.Y}, c.Min, {X: c.Max.X, Y: c.Min.Y}})
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
