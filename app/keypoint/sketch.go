package keypoint

import (
	"image/color"
	"io"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fsa/app/keypoint/faces"
	"fsa/internal/plots"
)

// Sketch has the detections on a photograph, to be drawn without it.
type Sketch struct {
	Photo *faces.Photo
	Marks []Mark
}

// outline lists the lines of a face by their first and last landmark, counted
// from 0, and whether they are closed.
var outline = []struct {
	first, last int
	closed      bool
}{
	{0, 16, false}, {17, 21, false}, {22, 26, false}, {27, 30, false}, {31, 35, false},
	{36, 41, true}, {42, 47, true}, {48, 59, true}, {60, 67, true},
}

// The dimensions of a picture of sketches, in points.
const (
	sketchSide   = 220 // side of the square that holds a photograph
	sketchGap    = 12
	sketchRow    = 3  // photographs per row
	sketchNames  = 24 // height of the line with the names of the keypoints
	sketchName   = 90 // width of one name
	sketchRadius = 2.5
)

var (
	sketchPaper = color.Gray{0xfa}
	sketchEdge  = draw.LineStyle{Color: plots.Grey, Width: 0.5}
	sketchLine  = draw.LineStyle{Color: color.Gray{0x99}, Width: 0.8}
)

// PlotSketches draws photographs as SVG: a frame, the outlines of the annotated faces in grey, and
// for each keypoint the highest detections, as many as there are faces: a disc if the keypoint is
// found, a ring otherwise.
func PlotSketches(w io.Writer, all []Sketch) error {
	const cell = sketchSide + sketchGap
	columns := min(sketchRow, len(all))
	rows := (len(all) + sketchRow - 1) / sketchRow
	width, height := max(vg.Length(columns*cell), vg.Length(faces.Points)*sketchName)+sketchGap, vg.Length(rows*cell+sketchGap+sketchNames)
	return plots.Write(w, width, height, func(c draw.Canvas) {
		for i := range all {
			all[i].draw(c, vg.Point{X: vg.Length(sketchGap + i%sketchRow*cell), Y: height - vg.Length(sketchGap+i/sketchRow*cell)})
		}
		style := plots.Lettering(10, text.XLeft, text.YCenter)
		for p := range faces.Points {
			at := vg.Point{X: vg.Length(sketchGap + 4 + int(p)*sketchName), Y: sketchGap}
			plots.Disc(c, at, sketchRadius+1, palette[p])
			c.FillText(style, vg.Point{X: at.X + 8, Y: at.Y + style.FontExtents().Descent}, p.String())
		}
	})
}

// draw draws a photograph with the given upper left corner.
func (s *Sketch) draw(c draw.Canvas, corner vg.Point) {
	zoom := sketchSide / float64(max(s.Photo.W, s.Photo.H))
	c.Rectangle = vg.Rectangle{
		Min: vg.Point{X: corner.X, Y: corner.Y - vg.Length(zoom*float64(s.Photo.H))},
		Max: vg.Point{X: corner.X + vg.Length(zoom*float64(s.Photo.W)), Y: corner.Y},
	}
	c.SetColor(sketchPaper)
	c.Fill(c.Rectangle.Path())
	c.SetLineStyle(sketchEdge)
	c.Stroke(c.Rectangle.Path())
	place := func(at faces.XY) vg.Point {
		return vg.Point{X: corner.X + vg.Length((at.X+0.5)*zoom), Y: corner.Y - vg.Length((at.Y+0.5)*zoom)}
	}
	for i := range s.Photo.Faces {
		for _, line := range outline {
			var points []vg.Point
			for _, at := range s.Photo.Faces[i].Landmarks[line.first : line.last+1] {
				points = append(points, place(at))
			}
			if line.closed {
				points = append(points, points[0])
			}
			c.StrokeLines(sketchLine, c.ClipLinesXY(points)...)
		}
	}
	for _, m := range s.Marks {
		best := m.Detections[:min(len(s.Photo.Faces), len(m.Detections))]
		for k, o := range outcomes(s.Photo, m.Point, best) {
			if at := place(best[k].XY); o.found > 0 {
				plots.Disc(c, at, sketchRadius, palette[m.Point])
			} else {
				plots.Ring(c, at, sketchRadius, draw.LineStyle{Color: palette[m.Point], Width: 1})
			}
		}
	}
}
