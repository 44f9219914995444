package photo

import "math"

// PerOctave is the number of scales between one size and half of it.
const PerOctave = 4

// Level is a photograph at one scale of its pyramid.
type Level struct {
	*Image
	// Scale is the number of pixels of the photograph that a pixel of the level spans.
	Scale float64
}

// Up maps a position on the level to the photograph. Positions are counted from the centre of the
// first pixel.
func (l *Level) Up(x float64) float64 { return (x+0.5)*l.Scale - 0.5 }

// Down maps a position on the photograph to the level.
func (l *Level) Down(x float64) float64 { return (x+0.5)/l.Scale - 0.5 }

// ScaleOf returns the scale of level i.
func ScaleOf(i int) float64 { return math.Exp2(float64(i) / PerOctave) }

// Levels returns the number of levels of a photograph with both sides of at least the given number
// of pixels.
func Levels(w, h, least int) int {
	n := 0
	for {
		lw, lh := LevelSize(w, h, n)
		if lw < least || lh < least || lw < 1 || lh < 1 {
			return n
		}
		n++
	}
}

// LevelSize returns the size of level i of a photograph: only whole pixels of the level, so that
// none extends beyond an edge.
func LevelSize(w, h, i int) (int, int) {
	s := ScaleOf(i)
	return int(float64(w)/s + 1e-9), int(float64(h)/s + 1e-9)
}

// Pyramid returns the levels of a photograph whose sides both have at least the given number of
// pixels. The first is the photograph itself, if it is large enough.
//
// A level is made from the last one that is a whole number of octaves above it, by a Gaussian whose
// standard deviation is half a pixel of the new level.
func Pyramid(m *Image, least int) []*Level {
	var levels []*Level
	for i := range Levels(m.W, m.H, least) {
		if i == 0 {
			levels = append(levels, &Level{m, 1})
			continue
		}
		from := levels[(i-1)/PerOctave*PerOctave]
		step := ScaleOf(i) / from.Scale
		w, h := LevelSize(m.W, m.H, i)
		levels = append(levels, &Level{shrink(from.Image, w, h, step), ScaleOf(i)})
	}
	return levels
}

// shrink resamples an image so that step of its pixels become one.
func shrink(m *Image, w, h int, step float64) *Image {
	across, down := gaussians(m.W, w, step), gaussians(m.H, h, step)
	out := New(w, h)
	rows := make([]float32, m.H*w)
	for c := range m.Pix {
		for y := range m.H {
			line := m.Pix[c][y*m.W : (y+1)*m.W]
			for x, t := range across {
				var s float32
				for k, p := range line[t.first : t.first+len(t.weight)] {
					s += float32(t.weight[k] * float32(p))
				}
				rows[y*w+x] = s
			}
		}
		sum := make([]float32, w)
		for y, t := range down {
			clear(sum)
			for k, weight := range t.weight {
				for x, v := range rows[(t.first+k)*w : (t.first+k+1)*w] {
					sum[x] += float32(weight * v) // the conversion prevents fused multiply-adds on every processor
				}
			}
			for x, v := range sum {
				out.Pix[c][y*w+x] = uint8(v + 0.5)
			}
		}
	}
	return out
}

// taps are the weights of consecutive pixels, starting at first, that make one pixel.
type taps struct {
	first  int
	weight []float32
}

// gaussians returns the taps of n pixels, each of which spans step pixels of a line of m.
func gaussians(m, n int, step float64) []taps {
	sigma := step / 2
	out := make([]taps, n)
	for i := range out {
		at := (float64(i)+0.5)*step - 0.5
		lo := max(int(math.Ceil(at-3*sigma)), 0)
		hi := min(int(math.Floor(at+3*sigma)), m-1)
		weight := make([]float64, hi-lo+1)
		total := 0.0
		for k := range weight {
			d := (float64(lo+k) - at) / sigma
			weight[k] = math.Exp(-d * d / 2)
			total += weight[k]
		}
		out[i] = taps{lo, make([]float32, len(weight))}
		for k, v := range weight {
			out[i].weight[k] = float32(v / total)
		}
	}
	return out
}
