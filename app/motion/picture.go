package motion

import (
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"fsa/internal/plots"
)

// palette colours motions. It is that of Okabe and Ito, which colour-blind readers can distinguish.
var palette = [...]color.NRGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xd5, 0x5e, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0xe6, 0x9f, 0x00, 0xff}, {0x56, 0xb4, 0xe9, 0xff}, {0x00, 0x00, 0x00, 0xff},
}

// The dimensions of a picture, in points.
const (
	pictureWidth  = 640
	pictureMargin = 0.03 * pictureWidth
	wayWidth      = 1.2
	pathOpacity   = 0x40 // of 255
	leastMove     = 1.5  // smallest movement of a point that is drawn
	dotRadius     = 3
	ringRadius    = 7
	ringWidth     = 1.5
)

// WritePicture draws a segmented sequence as SVG: a dot for the position of each point in the last
// frame, in the colour of its motion, with its path. If the truth is known, misclassified points
// have a ring.
func WritePicture(w io.Writer, s *Sequence, labels Labels) error {
	low, high := bounds(s)
	wide, tall := max(high[0]-low[0], 1e-9), max(high[1]-low[1], 1e-9)
	zoom := (pictureWidth - 2*pictureMargin) / wide
	height := min(zoom*tall+2*pictureMargin, 2*pictureWidth)
	lower := min(zoom, (height-2*pictureMargin)/tall) // if the picture would be too high
	// The y axis of a video points down.
	place := func(at []float64) vg.Point {
		return vg.Point{
			X: vg.Length(pictureMargin + zoom*(at[0]-low[0])),
			Y: vg.Length(height - pictureMargin - lower*(at[1]-low[1])),
		}
	}
	return plots.Write(w, pictureWidth, vg.Length(height), func(c draw.Canvas) {
		for i, t := range s.Track {
			tint := palette[labels[i]%len(palette)]
			tint.A = pathOpacity
			c.StrokeLines(draw.LineStyle{Color: tint, Width: wayWidth}, pathOf(t, place))
		}
		wrong := wrongPoints(s, labels)
		for i, t := range s.Track {
			at := place(t[len(t)-2:])
			plots.Disc(c, at, dotRadius, palette[labels[i]%len(palette)])
			if wrong[i] {
				plots.Ring(c, at, ringRadius, draw.LineStyle{Color: color.Black, Width: ringWidth})
			}
		}
	})
}

// pathOf returns the path of a track, without movements that are too small to be seen.
func pathOf(track []float64, place func([]float64) vg.Point) []vg.Point {
	list := []vg.Point{place(track)}
	for ; len(track) > 0; track = track[2:] {
		last, p := list[len(list)-1], place(track)
		if math.Hypot(float64(p.X-last.X), float64(p.Y-last.Y)) >= leastMove || len(track) == 2 {
			list = append(list, p)
		}
	}
	return list
}

// bounds returns the corners of the box around all points in all frames.
func bounds(s *Sequence) (low, high [2]float64) {
	low, high = [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, t := range s.Track {
		for j, v := range t {
			low[j%2], high[j%2] = min(low[j%2], v), max(high[j%2], v)
		}
	}
	return low, high
}

// wrongPoints reports which points are misclassified, under the naming of motions that makes them
// fewest; none if the truth is unknown.
func wrongPoints(s *Sequence, labels Labels) []bool {
	wrong := make([]bool, s.Points)
	if s.Truth == nil {
		return wrong
	}
	name := match(labels, s.Truth)
	for i, l := range labels {
		wrong[i] = name[l] != s.Truth[i]
	}
	return wrong
}
