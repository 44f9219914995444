// Package drawtex stands for a canvas of LaTeX, on which nothing is ever drawn.
package drawtex

import "golang.org/x/image/font/sfnt"

// Canvas is an empty list of operations.
type Canvas struct{}

// New returns an empty canvas.
func New() *Canvas { return &Canvas{} }

// Ops returns no operations.
func (*Canvas) Ops() []Op { return nil }

// Op is a GlyphOp or a RectOp.
type Op interface{ isOp() }

// GlyphOp draws a glyph.
type GlyphOp struct {
	X, Y  float64
	Glyph Glyph
}

// RectOp fills a rectangle.
type RectOp struct{ X1, Y1, X2, Y2 float64 }

func (GlyphOp) isOp() {}
func (RectOp) isOp()  {}

// Glyph is a symbol of a font.
type Glyph struct {
	Font   *sfnt.Font
	Size   float64
	Symbol string
}
