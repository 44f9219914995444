// Package plots draws the pictures of all packages: a canvas, colours, letters, axes, legends, and
// charts of curves.
//
// Pictures are self-contained, without external fonts or scripts, and the same numbers give the
// same bytes. The same charts can be drawn for a page, whose style sets their colours
// ([Chart.Inline]).
package plots

import (
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Write draws a picture on white, of a size in points, and writes it as SVG.
func Write(w io.Writer, width, height vg.Length, paint func(draw.Canvas)) error {
	return WriteAs(w, "svg", width, height, paint)
}

// Disc fills a circle.
func Disc(c draw.Canvas, at vg.Point, radius vg.Length, tint color.Color) {
	c.SetColor(tint)
	c.Fill(circle(at, radius))
}

// Ring draws a circle.
func Ring(c draw.Canvas, at vg.Point, radius vg.Length, style draw.LineStyle) {
	c.SetLineStyle(style)
	c.Stroke(circle(at, radius))
}

func circle(at vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: at.X + radius, Y: at.Y})
	p.Arc(at, radius, 0, 2*math.Pi)
	p.Close()
	return p
}
