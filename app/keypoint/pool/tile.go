package pool

import (
	"math"
	"sync"

	"fsa/app/keypoint/photo"
)

// Plane is one of the summed-area tables of a tile: the three colours, and for each colour the
// gradients of each direction and of all directions.
type Plane uint8

const (
	gradients Plane = 3
	// PlaneCount is the number of planes.
	PlaneCount = gradients + 3*(orientations+1)
)

// magnitude returns the plane of all gradients of a channel.
func magnitude(channel int) Plane { return gradients + Plane(channel+1)*(orientations+1) - 1 }

// Planes is a set of planes.
type Planes uint32

// With returns the set with the planes of a feature added.
func (s Planes) With(f Feature) Planes {
	s |= 1 << f.Plane()
	if f.Shape == Cell {
		s |= 1 << magnitude(int(f.Channel))
	}
	return s
}

// hog reports whether the set has gradients of a channel.
func (s Planes) hog(channel int) bool { return s>>magnitude(channel)&1 != 0 }

// Tile holds the summed-area tables of the windows around W×H neighbouring pixels of a photograph.
// Outside the photograph, the edge pixels are repeated. Windows have even sides, so a window is
// centred between pixels: the one of pixel (x, y) covers pixels x−12 to x+11.
//
// Window (x, y) of a tile begins at y·Stride+x of every table.
type Tile struct {
	W, H   int
	Stride int
	Sums   [PlaneCount][]uint32 // empty if the plane was not requested
	// Norm is the factor of the cells of a channel, for each window.
	Norm [3][]float32

	pixels []uint8  // pixels of one channel, with a margin of one pixel
	spare  []uint32 // a row whose content is not used
}

const (
	// Lanes is the number of neighbouring windows that a scan processes at once. Tables are wide
	// enough to read whole lanes from the last window on.
	Lanes = 16
	// noise reduces the gradients of flat windows: four grey levels per pixel are added to a
	// window's gradients.
	noise = 4 * gradientUnit * Window * Window
	// whole is the value of a cell that contains all gradients of its window.
	whole = 1 << 16
)

// stride returns the width of tables of w windows.
func stride(w int) int { return (w+Lanes-1)/Lanes*Lanes + 2*Lanes }

// Fill computes the given planes for the windows around w×h pixels, starting at (x, y). It reuses
// the memory of earlier calls.
func (t *Tile) Fill(m *photo.Image, x, y, w, h int, planes Planes) {
	t.W, t.H, t.Stride = w, h, stride(w)
	// The last lanes of the last row extend a little beyond the table.
	size := t.Stride*(h+Window) + Lanes
	for p := range t.Sums {
		t.Sums[p] = t.Sums[p][:0]
		if planes>>p&1 != 0 {
			t.Sums[p] = room(t.Sums[p], size)
			clear(t.Sums[p][:t.Stride])
		}
	}
	for c := range t.Norm {
		color, hog := planes>>c&1 != 0, planes.hog(c)
		if !color && !hog {
			continue
		}
		t.load(m.Pix[c], m.W, m.H, x-Window/2, y-Window/2)
		if color {
			t.sumColor(t.Sums[c])
		}
		if hog {
			t.sumGradients(c, planes)
			t.normalise(c, size)
		}
	}
}

// room returns a slice of n elements: the given one if it is large enough.
func room[V any](s []V, n int) []V {
	if cap(s) < n {
		return make([]V, n)
	}
	return s[:n]
}

// load copies the pixels of a channel from (x, y) on, with a margin of one.
func (t *Tile) load(pix []uint8, w, h, x, y int) {
	cols, rows := t.W+Window+1, t.H+Window+1
	t.pixels = room(t.pixels, cols*rows)
	for j := range rows {
		line := pix[min(max(y-1+j, 0), h-1)*w:][:w]
		to := t.pixels[j*cols : (j+1)*cols]
		for i := range to {
			to[i] = line[min(max(x-1+i, 0), w-1)]
		}
	}
}

// sumColor fills the table of a colour.
func (t *Tile) sumColor(table []uint32) {
	cols := t.W + Window + 1
	for j := range t.H + Window - 1 {
		line := t.pixels[(j+1)*cols+1 : (j+2)*cols-1]
		up := table[j*t.Stride+1:][:len(line)]
		to := table[(j+1)*t.Stride+1:][:len(line)]
		table[(j+1)*t.Stride] = 0
		var run uint32
		for i, p := range line {
			run += uint32(p)
			to[i] = up[i] + run
		}
	}
}

// sumGradients fills the tables of the gradients of a channel. A row of a table first holds the
// gradients themselves and is then summed.
func (t *Tile) sumGradients(channel int, planes Planes) {
	cols := t.W + Window + 1
	n := cols - 2
	split := splits()
	first := gradients + Plane(channel)*(orientations+1)
	t.spare = room(t.spare, n)
	var rows [orientations][]uint32
	for j := range t.H + Window - 1 {
		from := (j + 1) * t.Stride
		for o := range rows {
			rows[o] = t.spare // planes that were not requested
			if p := first + Plane(o); planes>>p&1 != 0 {
				rows[o] = t.Sums[p][from+1:][:n]
				clear(rows[o])
			}
		}
		all := t.Sums[first+orientations][from+1:][:n]
		above, line, below := t.pixels[j*cols:][:n+2], t.pixels[(j+1)*cols:][:n+2], t.pixels[(j+2)*cols:][:n+2]
		for i := range all {
			dx, dy := int(line[i+2])-int(line[i]), int(below[i+1])-int(above[i+1])
			s := &split[(dy+255)<<9|(dx+255)]
			rows[s.low%orientations][i] += uint32(s.part)
			rows[(s.low+1)%orientations][i] += uint32(s.rest)
			all[i] = uint32(s.part) + uint32(s.rest)
		}
		for o := range Plane(orientations + 1) {
			if planes>>(first+o)&1 != 0 {
				table := t.Sums[first+o]
				table[from] = 0
				addUp(table[from+1:][:n], table[from-t.Stride+1:][:n])
			}
		}
	}
}

// addUp turns the values of a row into a row of a summed-area table, given the row above.
func addUp(row, up []uint32) {
	up = up[:len(row)]
	var run uint32
	for i, v := range row {
		run += v
		row[i] = up[i] + run
	}
}

// normalise computes the factor of the cells of a channel: the inverse of the sum of all gradients
// in the window.
func (t *Tile) normalise(channel, size int) {
	t.Norm[channel] = room(t.Norm[channel], size)
	table := t.Sums[magnitude(channel)]
	for y := range t.H {
		top, bottom := table[y*t.Stride:], table[(y+Window)*t.Stride:]
		to := t.Norm[channel][y*t.Stride:]
		for x := range t.W {
			sum := bottom[x+Window] - bottom[x] - top[x+Window] + top[x]
			to[x] = whole / (float32(sum) + noise)
		}
	}
}

// gradientUnit is the resolution of the length of a gradient.
const gradientUnit = 16

// share divides a gradient between its two neighbouring directions: one part for direction low, the
// rest for the next direction.
type share struct {
	part, rest uint16
	low        uint8
}

// splits returns the share of every gradient (dx, dy), at (dy+255)·512+dx+255. Opposite gradients
// have the same direction.
var splits = sync.OnceValue(func() []share {
	table := make([]share, 511<<9)
	for dy := -255; dy <= 255; dy++ {
		for dx := -255; dx <= 255; dx++ {
			length := math.Round(gradientUnit * math.Hypot(float64(dx), float64(dy)))
			at := math.Atan2(float64(dy), float64(dx)) / math.Pi * orientations
			at = math.Mod(at+orientations, orientations)
			low := math.Floor(at)
			rest := math.Round(length * (at - low))
			table[(dy+255)<<9|(dx+255)] = share{uint16(length - rest), uint16(rest), uint8(low)}
		}
	}
	return table
})
