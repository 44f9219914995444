// Package ttf stands for the fonts of LaTeX.
package ttf

import (
	"codeberg.org/go-latex/latex/drawtex"
	"golang.org/x/image/font/sfnt"
)

// Fonts are the fonts of a text.
type Fonts struct{ Default, Rm, It, Bf, BfIt *sfnt.Font }

// Backend would draw with fonts.
type Backend struct{}

// NewFrom returns a backend that draws nothing.
func NewFrom(*drawtex.Canvas, *Fonts) *Backend { return &Backend{} }
