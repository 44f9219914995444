package keypoint

import (
	"context"
	"math"
	"math/rand/v2"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/pool"
)

// Example is a training window: the one around pixel (X, Y) of a level of a photograph.
type Example struct {
	Photo int `json:"p"` // among the training photographs
	Level int `json:"l"`
	X     int `json:"x"`
	Y     int `json:"y"`
}

const (
	// Windows are centred between pixels: half a pixel before the pixel that names them.
	centre = -0.5

	leastIED, mostIED = 20, 40 // pixels between the eyes on levels with positives
	near              = 1      // pixels from the annotation within which a window is positive
	far               = 0.5    // IED from the annotation beyond which it is negative
)

// levelSize is the size of a level of a photograph.
type levelSize struct {
	w, h  int
	scale float64
}

func levelSizes(p *faces.Photo) []levelSize {
	out := make([]levelSize, photo.Levels(p.W, p.H, pool.Window))
	for i := range out {
		w, h := photo.LevelSize(p.W, p.H, i)
		out[i] = levelSize{w, h, photo.ScaleOf(i)}
	}
	return out
}

// annotation returns the position of a keypoint of the only face of a photograph on a level, in the
// pixels that name windows, and the IED there.
func (l levelSize) annotation(p *faces.Photo, point faces.Point) (x, y, ied float64) {
	f := &p.Faces[0]
	at := f.Point(point)
	down := func(v float64) float64 { return (v+0.5)/l.scale - 0.5 - centre }
	return down(at.X), down(at.Y), f.IED / l.scale
}

// positives lists the windows of a keypoint: those within a pixel of its annotation, on levels on
// which the face has the right size. A keypoint outside its photograph has none.
func positives(photos []*faces.Photo, point faces.Point) []Example {
	var out []Example
	for i, p := range photos {
		if !p.Inside(p.Faces[0].Point(point)) {
			continue
		}
		for l, size := range levelSizes(p) {
			ax, ay, ied := size.annotation(p, point)
			if ied < leastIED || ied > mostIED {
				continue
			}
			for y := max(int(math.Ceil(ay-near)), 0); y <= min(int(ay+near), size.h-1); y++ {
				for x := max(int(math.Ceil(ax-near)), 0); x <= min(int(ax+near), size.w-1); x++ {
					if math.Hypot(float64(x)-ax, float64(y)-ay) <= near {
						out = append(out, Example{i, l, x, y})
					}
				}
			}
		}
	}
	return out
}

// negative reports whether windows of a level are far enough from a keypoint to be negative.
type negative struct {
	x, y, least float64
}

func (l levelSize) negatives(p *faces.Photo, point faces.Point) negative {
	x, y, ied := l.annotation(p, point)
	return negative{x, y, far * ied}
}

func (n negative) holds(x, y int) bool {
	return math.Hypot(float64(x)-n.x, float64(y)-n.y) >= n.least
}

// randomNegatives draws n different windows that are not the keypoint, as far as possible equally
// many from each photograph. Levels are drawn in proportion to their size. Every photograph must be
// at least as large as a window.
func randomNegatives(ctx context.Context, photos []*faces.Photo, point faces.Point, n int, seed uint64) ([]Example, error) {
	r := rand.New(rand.NewPCG(seed, 0x6e65676174697665))
	var out []Example
	for i, p := range photos {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		sizes := levelSizes(p)
		windows := 0
		for _, s := range sizes {
			windows += s.w * s.h
		}
		share := (i+1)*n/len(photos) - i*n/len(photos)
		taken := map[Example]bool{}
		// A small photograph of a large face may have fewer windows.
		for tries := 20 * min(share, windows); len(taken) < share && tries > 0; tries-- {
			at := r.IntN(windows)
			l := 0
			for at >= sizes[l].w*sizes[l].h {
				at -= sizes[l].w * sizes[l].h
				l++
			}
			e := Example{i, l, at % sizes[l].w, at / sizes[l].w}
			if !taken[e] && sizes[l].negatives(p, point).holds(e.X, e.Y) {
				taken[e] = true
				out = append(out, e)
			}
		}
	}
	return out, nil
}
