package plots

import (
	"image/color"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The shades of everything except curves.
var (
	Ink   = color.Gray{0x33} // text and axes
	Grey  = color.Gray{0xb4} // background curves
	Faint = color.Gray{0xec} // grid lines
)

// The sizes of the labels of axes and of their marks.
const labelSize, markSize vg.Length = 12, 10

// CurveWidth is the width of the main lines.
const CurveWidth vg.Length = 1.4

// axisLine is the style of axes and their marks.
var axisLine = draw.LineStyle{Color: Ink, Width: 0.7}

// Safe are colours that people with any kind of colour vision can distinguish (after Okabe and Ito
// 2008), the darker ones first. Pages have them as variables of their style.
var Safe = [...]color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, // blue
	{0xd5, 0x5e, 0x00, 0xff}, // vermillion
	{0x00, 0x9e, 0x73, 0xff}, // green
	{0xcc, 0x79, 0xa7, 0xff}, // purple
	{0xe6, 0x9f, 0x00, 0xff}, // orange
	{0x56, 0xb4, 0xe9, 0xff}, // sky
	{0x7f, 0x6a, 0x2e, 0xff}, // olive
	{0x5b, 0x5b, 0x8f, 0xff}, // slate
}

// Palette has the colours of legends: those of Safe, and two more for long ones.
var Palette = [...]color.RGBA{
	Safe[0], Safe[1], Safe[2], Safe[3], Safe[4], Safe[5], Safe[6], Safe[7],
	{0x88, 0x22, 0x55, 0xff}, // wine
	{0x33, 0x22, 0x88, 0xff}, // indigo
}

// Lettering returns the style of text of some size.
func Lettering(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color:   Ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  x,
		YAlign:  y,
		Handler: lettering{plot.DefaultTextHandler},
	}
}

// Plot returns an empty plot with the given axes, whose title and labels are cut if they are wider
// than width. A label of one letter is upright.
func Plot(title string, x, y Axis, width vg.Length) *plot.Plot {
	p := plot.New()
	p.Title.TextStyle = Lettering(13, text.XCenter, text.YTop)
	p.Title.Text = Fit(p.Title.TextStyle, title, width)
	p.Title.Padding = 10
	x.dress(&p.X)
	y.dress(&p.Y)
	if utf8.RuneCountInString(y.Label) == 1 {
		p.Y.Label.TextStyle.Rotation = -math.Pi / 2 // a quarter turn from the default
	}
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal = draw.LineStyle{Color: Faint, Width: 0.5}
	p.Add(grid, frame{})
	return p
}

// Axis is the label and the marks of an axis.
type Axis struct {
	Label string
	Marks plot.Ticker
	Log   bool
}

// dress gives an axis its label, its marks and its style.
func (x Axis) dress(a *plot.Axis) {
	a.Label.Text = x.Label
	a.Label.Padding = 5
	a.Label.TextStyle = Lettering(labelSize, text.XCenter, text.YBottom)
	a.LineStyle = axisLine
	a.LineStyle.Width = 0 // drawn by frame
	a.Padding = 0
	a.Tick.Marker = x.Marks
	a.Tick.Label = Lettering(markSize, a.Tick.Label.XAlign, a.Tick.Label.YAlign)
	a.Tick.LineStyle = axisLine
	a.Tick.Length = 4
	if x.Log {
		a.Scale = plot.LogScale{}
	}
}

// frame draws the two axes as one line, so that they meet in a corner.
type frame struct{}

var _ plot.Plotter = frame{}

// Plot draws along the left and the lower side of c.
func (frame) Plot(c draw.Canvas, _ *plot.Plot) {
	c.StrokeLines(axisLine, []vg.Point{{X: c.Min.X, Y: c.Max.Y}, c.Min, {X: c.Max.X, Y: c.Min.Y}})
}

// widest is more characters than any text of a picture has room for.
const widest = 300

// Fit returns s without characters that a document cannot contain, and shortened in the middle so
// that it is at most width wide. Long names of variables often differ at their ends.
func Fit(style text.Style, s string, width vg.Length) string {
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
