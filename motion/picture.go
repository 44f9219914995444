package motion

import (
	"bufio"
	"fmt"
	"io"
	"math"
)

// palette colours motions and methods. It is that of Okabe and Ito, which the
// colour-blind can tell apart.
var palette = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"}

// pictureWidth is the width of pictures, in pixels.
const pictureWidth = 640

// leastMove is how far a point has to go, in pixels of the picture, to be drawn
// there too.
const leastMove = 1.5

// WritePicture draws a segmented sequence as SVG: a dot for each point where it
// is in the last frame, in the colour of its motion, with the way it came.
// Where labels differ from the truth, if that is known, there is a ring around
// the dot.
func WritePicture(w io.Writer, s *Sequence, labels Labels) error {
	low, high := bounds(s)
	scale := pictureWidth * 0.94 / max(high[0]-low[0], 1e-9)
	height := min(scale*(high[1]-low[1])+0.06*pictureWidth, 2*pictureWidth)
	place := func(x, y float64) (float64, float64) {
		return 0.03*pictureWidth + scale*(x-low[0]), 0.03*pictureWidth + min(scale, (height-0.06*pictureWidth)/max(high[1]-low[1], 1e-9))*(y-low[1])
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %.0f" width="%d" height="%.0f">`+"\n", pictureWidth, height, pictureWidth, height)
	fmt.Fprintf(out, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	for i, t := range s.Track {
		fmt.Fprintf(out, `<polyline fill="none" stroke="%s" stroke-opacity="0.25" stroke-width="1.2" points="`, palette[labels[i]%len(palette)])
		lastX, lastY := math.Inf(1), math.Inf(1)
		for f := range s.Frames {
			x, y := place(t[2*f], t[2*f+1])
			if math.Hypot(x-lastX, y-lastY) < leastMove && f < s.Frames-1 {
				continue
			}
			fmt.Fprintf(out, "%.1f,%.1f ", x, y)
			lastX, lastY = x, y
		}
		fmt.Fprint(out, `"/>`+"\n")
	}
	wrong := wrongPoints(s, labels)
	for i, t := range s.Track {
		x, y := place(t[len(t)-2], t[len(t)-1])
		fmt.Fprintf(out, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x, y, palette[labels[i]%len(palette)])
		if wrong[i] {
			fmt.Fprintf(out, `<circle cx="%.1f" cy="%.1f" r="7" fill="none" stroke="#000" stroke-width="1.5"/>`+"\n", x, y)
		}
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

// bounds returns the corners of the box that holds all points in all frames.
func bounds(s *Sequence) (low, high [2]float64) {
	low, high = [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, t := range s.Track {
		for j, v := range t {
			low[j%2], high[j%2] = min(low[j%2], v), max(high[j%2], v)
		}
	}
	return low, high
}

// wrongPoints says which points are misclassified, under the naming of motions
// that makes them fewest; none where the truth is not known.
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
