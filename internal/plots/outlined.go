package plots

import (
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
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
	for i, r := range s {
		// The position of a letter includes the kerning before it.
		x := f.Width(s[:i]+string(r)) - f.Width(string(r))
		if !glyph(&path, f, vg.Point{X: pt.X + x, Y: pt.Y}, r, c.boxes) {
			c.Canvas.FillString(f, pt, s)
			return
		}
	}
	if len(path) > 0 {
		c.Fill(path)
	}
}

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
