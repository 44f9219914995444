package keypoint

import (
	"math"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/scan"
)

// field has the scores of one level that reach a threshold, by pixel.
type field map[pixel]float64

type pixel struct{ x, y int }

func newField(hits []scan.Hit) field {
	f := make(field, len(hits))
	for _, h := range hits {
		f[pixel{h.X, h.Y}] = h.Score
	}
	return f
}

// peak reports whether a hit is a peak: none of its eight neighbours is higher. Of equal
// neighbours, the first by row and then column is the peak.
func (f field) peak(h scan.Hit) bool {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			s, ok := f[pixel{h.X + dx, h.Y + dy}]
			before := dy < 0 || dy == 0 && dx < 0
			if ok && (s > h.Score || s == h.Score && before) {
				return false
			}
		}
	}
	return true
}

// peaks returns the hits of one level that are peaks.
func peaks(hits []scan.Hit) []scan.Hit {
	f := newField(hits)
	var out []scan.Hit
	for _, h := range hits {
		if f.peak(h) {
			out = append(out, h)
		}
	}
	return out
}

// place is the position of a window on its photograph.
func place(l *photo.Level, x, y int) faces.XY {
	return faces.XY{X: l.Up(float64(x) + centre), Y: l.Up(float64(y) + centre)}
}

// reach is the number of levels above and below that belong to the neighbourhood of a detection.
const reach = 3

// refine moves a detection to the centre of its neighbourhood: the mean of all positions around it,
// on its own and nearby levels, weighted by e^score and by the number of pixels of the photograph
// that each represents. The peak itself lies on the grid of its level, somewhere on the plateau of
// a keypoint. Positions whose score is below the margin or below the detection itself do not count,
// because the threshold decides whether they are known.
func refine(d Detection, level int, levels []*photo.Level, fields []field) Detection {
	radius, least := apart*d.Scale, min(Margin, d.Score)
	var sum, x, y float64
	for l := max(level-reach, 0); l <= min(level+reach, len(levels)-1); l++ {
		at := levels[l]
		cx, cy := at.Down(d.X)-centre, at.Down(d.Y)-centre
		r := radius / at.Scale
		for py := int(math.Ceil(cy - r)); float64(py) <= cy+r; py++ {
			for px := int(math.Ceil(cx - r)); float64(px) <= cx+r; px++ {
				score, ok := fields[l][pixel{px, py}]
				if !ok || score < least || math.Hypot(float64(px)-cx, float64(py)-cy) >= r {
					continue
				}
				w := math.Exp(score-d.Score) * at.Scale * at.Scale
				p := place(at, px, py)
				sum += w
				x += w * p.X
				y += w * p.Y
			}
		}
	}
	if sum > 0 {
		d.XY = faces.XY{X: x / sum, Y: y / sum}
	}
	return d
}
