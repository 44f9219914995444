package keypoint

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"strings"

	"fsa/keypoint/faces"
)

// Sketch is what was found on a photograph, to be drawn without it.
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

const (
	sketchSide = 220 // of the square that a photograph is fitted into
	sketchGap  = 12
	sketchRow  = 3 // photographs side by side
	sketchText = 12
)

// PlotSketches draws photographs as SVG: a frame, the outlines of the annotated
// faces in grey, and of each keypoint as many detections as there are faces, the
// highest: a disc where the keypoint is found, a ring elsewhere.
func PlotSketches(w io.Writer, all []Sketch) error {
	out := bufio.NewWriter(w)
	columns := min(sketchRow, len(all))
	rows := (len(all) + sketchRow - 1) / sketchRow
	cell := sketchSide + sketchGap
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="10">`+"\n",
		columns*cell+sketchGap, rows*cell+2*sketchGap+sketchText)
	for i := range all {
		all[i].draw(out, sketchGap+i%sketchRow*cell, sketchGap+i/sketchRow*cell)
	}
	for p := range faces.Points {
		x, y := sketchGap+int(p)*90, rows*cell+2*sketchGap
		fmt.Fprintf(out, `<circle cx="%d" cy="%d" r="3.5" fill="%s"/><text x="%d" y="%d">%s</text>`+"\n", x+4, y, htmlColor(palette[p]), x+12, y+3, p)
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

func (s *Sketch) draw(w io.Writer, left, top int) {
	zoom := sketchSide / float64(max(s.Photo.W, s.Photo.H))
	place := func(at faces.XY) (x, y float64) { return (at.X + 0.5) * zoom, (at.Y + 0.5) * zoom }
	fmt.Fprintf(w, `<svg x="%d" y="%d" width="%.1f" height="%.1f"><rect width="100%%" height="100%%" fill="#fafafa" stroke="#bbb"/>`+"\n",
		left, top, zoom*float64(s.Photo.W), zoom*float64(s.Photo.H))
	for i := range s.Photo.Faces {
		for _, line := range outline {
			var d strings.Builder
			for k := line.first; k <= line.last; k++ {
				x, y := place(s.Photo.Faces[i].Landmarks[k])
				command := 'L'
				if k == line.first {
					command = 'M'
				}
				fmt.Fprintf(&d, "%c%.1f %.1f", command, x, y)
			}
			if line.closed {
				d.WriteByte('Z')
			}
			fmt.Fprintf(w, `<path d="%s" fill="none" stroke="#999" stroke-width="0.8"/>`+"\n", d.String())
		}
	}
	for _, m := range s.Marks {
		best := m.Detections[:min(len(s.Photo.Faces), len(m.Detections))]
		for k, o := range outcomes(s.Photo, m.Point, best) {
			style := `fill="none" stroke`
			if o.found > 0 {
				style = "fill"
			}
			x, y := place(best[k].XY)
			fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="2.5" %s="%s"/>`+"\n", x, y, style, htmlColor(palette[m.Point]))
		}
	}
	fmt.Fprintln(w, "</svg>")
}

func htmlColor(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
