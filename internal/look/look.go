// Package look is what the plots of all packages have in common: colours, letters
// and axes.
package look

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The shades of what is no curve.
var (
	Ink   = color.Gray{0x33} // text and axes
	Grey  = color.Gray{0xb4} // what is there but not meant
	Faint = color.Gray{0xec} // lines that help to read
)

// AxisLine is the style of axes and their marks.
var AxisLine = draw.LineStyle{Color: Ink, Width: 0.7}

// Palette holds colours that can be told apart, and from grey, on white.
var Palette = [...]color.RGBA{
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

// Lettering returns the style of text of some size.
func Lettering(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Color:   Ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  x,
		YAlign:  y,
		Handler: plot.DefaultTextHandler,
	}
}

// Axis gives an axis its label, its marks and its looks.
func Axis(a *plot.Axis, label string, marks plot.Ticker) {
	a.Label.Text = label
	a.Label.Padding = 5
	a.Label.TextStyle = Lettering(12, text.XCenter, text.YBottom)
	a.LineStyle = AxisLine
	a.Padding = 0
	a.Tick.Marker = marks
	a.Tick.Label = Lettering(10, a.Tick.Label.XAlign, a.Tick.Label.YAlign)
	a.Tick.LineStyle = AxisLine
	a.Tick.Length = 4
}
