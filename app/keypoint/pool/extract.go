package pool

import (
	"fsa/app/keypoint/photo"
)

// Range maps the values of a feature to bytes: (v−Low)·Scale, truncated, and limited to 0 to 255.
type Range struct {
	Low, Scale float32
}

// maxScale keeps (v−Low)·Scale of every feature within 32 bits; values are within ±2¹⁸.
const maxScale = 1 << 12

// NewRange returns the range that maps low to high to all bytes. If they are equal, all values
// become 0.
func NewRange(low, high float32) Range {
	if !(low < high) {
		return Range{Low: low}
	}
	return Range{low, min(256/(high-low), maxScale)}
}

// Check reports whether the range is valid.
func (r Range) Check() bool {
	return r.Low >= -1<<18 && r.Low <= 1<<18 && r.Scale >= 0 && r.Scale <= maxScale
}

// Code returns the byte of a value of a feature.
func (r Range) Code(v float32) uint8 {
	return uint8(min(max(int32((v-r.Low)*r.Scale), 0), 255))
}

// Extractor computes all features of single windows, for training. It is for one goroutine.
type Extractor struct {
	pool    *Pool
	planes  Planes
	corners [][MostCorners]uint16
	runs    []run
	tile    Tile
	patch   [PlaneCount][patchSize]uint32 // the tables of one window
	norm    [3]float32
}

// run is a sequence of features with the same formula and table.
type run struct {
	op       Op
	plane    Plane
	channel  uint8
	from, to int
}

// A window's table has 25×25 numbers. Its size is a power of two, so masks replace bounds checks.
const (
	patchSide = Window + 1
	patchSize = 1024
	patchMask = patchSize - 1
)

// NewExtractor returns an extractor for the features of a pool.
func NewExtractor(p *Pool) *Extractor {
	e := &Extractor{pool: p, corners: make([][MostCorners]uint16, p.Len())}
	for j, f := range p.features {
		at, _ := f.Corners(patchSide)
		for i, v := range at {
			e.corners[j][i] = uint16(v)
		}
		e.planes = e.planes.With(f)
		r := run{f.Op(), f.Plane(), f.Channel, j, j + 1}
		if last := len(e.runs) - 1; last >= 0 && e.runs[last].op == r.op && e.runs[last].plane == r.plane {
			e.runs[last].to = r.to
		} else {
			e.runs = append(e.runs, r)
		}
	}
	return e
}

// MoveTo moves the extractor to the window around pixel (x, y) of an image.
func (e *Extractor) MoveTo(m *photo.Image, x, y int) {
	e.tile.Fill(m, x, y, 1, 1, e.planes)
	for p, table := range e.tile.Sums {
		if len(table) == 0 {
			continue
		}
		for j := range patchSide {
			copy(e.patch[p][j*patchSide:(j+1)*patchSide], table[j*e.tile.Stride:])
		}
	}
	for c, norm := range e.tile.Norm {
		if len(norm) > 0 {
			e.norm[c] = norm[0]
		}
	}
}

// Values computes the values of all features.
func (e *Extractor) Values(dst []float32) {
	dst = dst[:len(e.corners)]
	for _, r := range e.runs {
		s := &e.patch[r.plane]
		corners, out := e.corners[r.from:r.to], dst[r.from:r.to]
		switch r.op {
		case Box:
			for i := range out {
				out[i] = float32(int32(box(s, &corners[i]))) * e.norm[r.channel]
			}
		case Edge:
			for i := range out {
				out[i] = float32(int32(edge(s, &corners[i])))
			}
		case Line:
			for i := range out {
				out[i] = float32(int32(line(s, &corners[i])))
			}
		case Check:
			for i := range out {
				out[i] = float32(int32(check(s, &corners[i])))
			}
		}
	}
}

// Codes computes the bytes of all features.
func (e *Extractor) Codes(dst []uint8, ranges []Range) {
	dst, ranges = dst[:len(e.corners)], ranges[:len(e.corners)]
	for _, r := range e.runs {
		s := &e.patch[r.plane]
		corners, out, ranges := e.corners[r.from:r.to], dst[r.from:r.to], ranges[r.from:r.to]
		switch r.op {
		case Box:
			for i := range out {
				out[i] = ranges[i].Code(float32(int32(box(s, &corners[i]))) * e.norm[r.channel])
			}
		case Edge:
			for i := range out {
				out[i] = ranges[i].Code(float32(int32(edge(s, &corners[i]))))
			}
		case Line:
			for i := range out {
				out[i] = ranges[i].Code(float32(int32(line(s, &corners[i]))))
			}
		case Check:
			for i := range out {
				out[i] = ranges[i].Code(float32(int32(check(s, &corners[i]))))
			}
		}
	}
}

// The formulas of [Op]. Sums wrap around, and their differences are right nevertheless.

func box(s *[patchSize]uint32, c *[MostCorners]uint16) uint32 {
	return s[c[0]&patchMask] - s[c[1]&patchMask] - s[c[2]&patchMask] + s[c[3]&patchMask]
}

func edge(s *[patchSize]uint32, c *[MostCorners]uint16) uint32 {
	return 2*s[c[0]&patchMask] - s[c[1]&patchMask] - s[c[2]&patchMask] -
		(2*s[c[3]&patchMask] - s[c[4]&patchMask] - s[c[5]&patchMask])
}

func line(s *[patchSize]uint32, c *[MostCorners]uint16) uint32 {
	return 3*(s[c[0]&patchMask]-s[c[1]&patchMask]-s[c[2]&patchMask]+s[c[3]&patchMask]) +
		(s[c[4]&patchMask] - s[c[5]&patchMask] - s[c[6]&patchMask] + s[c[7]&patchMask])
}

func check(s *[patchSize]uint32, c *[MostCorners]uint16) uint32 {
	return 2*(2*s[c[0]&patchMask]-s[c[1]&patchMask]-s[c[2]&patchMask]) -
		(2*s[c[3]&patchMask] - s[c[4]&patchMask] - s[c[5]&patchMask]) -
		(2*s[c[6]&patchMask] - s[c[7]&patchMask] - s[c[8]&patchMask])
}
