package plots

import (
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// outlined is a canvas that draws text as shapes, so that a picture looks the same with any fonts,
// and measured texts do not overlap. Text with letters that the font lacks is drawn with the
// reader's fonts; if a picture does not allow such text, each of these letters is a box.
type outlined struct {
	vg.Canvas
	boxes bool
}

// FillString draws s with its baseline beginning at pt.
func (c outlined) FillString(f font.Face, pt vg.Point, s string) {
	var path vg.Path
	drawn := []rune(visual(s))
	for i, r := range drawn {
		at, of := vg.Point{X: pt.X + extent(f, string(drawn[:i+1])) - extent(f, string(r)), Y: pt.Y}, f // with the kerning before it
		if letter, raised := exponent(r); raised {
			of, at.Y, r = small(f), pt.Y+raisedBy*f.Font.Size, letter
		}
		if !glyph(&path, of, at, r, c.boxes) {
			c.Canvas.FillString(f, pt, s)
			return
		}
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}

// The size of an exponent, and its distance from the line, relative to the size of the font, which has only some of them.
const raisedSize, raisedBy = 0.6, 0.35

// small returns the face of exponents.
func small(f font.Face) font.Face {
	f.Font.Size *= raisedSize
	return f
}

// extent returns the width of a drawn text.
func extent(f font.Face, s string) vg.Length {
	line, above := make([]rune, 0, len(s)), vg.Length(0)
	for _, r := range Bare(s) {
		if letter, raised := exponent(r); raised {
			face := small(f)
			above += face.Width(string(letter))
		} else {
			line = append(line, r)
		}
	}
	return f.Width(string(line)) + above
}

// lettering measures and aligns texts as they are drawn.
type lettering struct{ text.Handler }

// Box returns the size of a line.
func (h lettering) Box(s string, of font.Font) (width, height, depth vg.Length) {
	_, height, depth = h.Handler.Box(s, of)
	return extent(h.Cache().Lookup(of, of.Size), s), height, depth
}

// Draw draws a line.
func (h lettering) Draw(c vg.Canvas, s string, style text.Style, pt vg.Point) {
	f := h.Cache().Lookup(style.Font, style.Font.Size)
	by := vg.Length(style.XAlign) * (extent(f, s) - f.Width(s))
	sin, cos := math.Sincos(style.Rotation)
	h.Handler.Draw(c, s, style, vg.Point{X: pt.X + by*vg.Length(cos), Y: pt.Y + by*vg.Length(sin)})
}

// exponent returns the letter that is drawn smaller and higher for a letter of an exponent.
func exponent(r rune) (letter rune, raised bool) {
	at := strings.IndexRune(raisedLetters, r)
	if at < 0 {
		return r, false
	}
	return []rune(plainLetters)[utf8.RuneCountInString(raisedLetters[:at])], true
}

const raisedLetters, plainLetters = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "−0123456789"

// glyph adds the shape of a letter to path. If the font does not have one, it fails, or adds a box.
func glyph(path *vg.Path, f font.Face, pt vg.Point, r rune, boxes bool) bool {
	var buf sfnt.Buffer
	index, err := f.Face.GlyphIndex(&buf, r)
	if err != nil || index == 0 && !boxes {
		return false
	}
	em := f.Face.UnitsPerEm()
	segments, err := f.Face.LoadGlyph(&buf, index, fixed.Int26_6(em), nil)
	if err != nil {
		return false
	}
	scale := f.Font.Size / vg.Length(em)
	at := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: pt.X + scale*vg.Length(p.X), Y: pt.Y - scale*vg.Length(p.Y)}
	}
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
	return true
}
