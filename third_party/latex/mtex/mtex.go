// Package mtex stands for the parser of LaTeX.
package mtex

import (
	"errors"

	"codeberg.org/go-latex/latex/drawtex"
	"codeberg.org/go-latex/latex/font/ttf"
	"codeberg.org/go-latex/latex/tex"
)

// Renderer draws what is on a canvas.
type Renderer interface {
	Render(width, height, dpi float64, c *drawtex.Canvas) error
}

// Parse returns an error.
func Parse(expr string, size, dpi float64, backend *ttf.Backend) (tex.Node, error) {
	return nil, errors.New("LaTeX is not linked: use plain texts")
}
