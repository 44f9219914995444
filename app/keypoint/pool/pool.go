// Package pool lists and computes the image features of detectors.
//
// A feature is computed from a window of 24×24 pixels. There are two families. A HOG feature is the
// share of one gradient direction in one cell of 4×4 pixels: 6×6 cells, 8 directions and 3 colour
// channels make 864. A Haar feature is a difference of sums over equal rectangles of one colour
// channel, in five shapes. There are some 360,000 of them; a pool has a random subset, which
// depends on its size and seed only.
//
// All features are sums over rectangles and are computed from summed-area tables, which a [Tile]
// holds for the windows of a small piece of a photograph.
package pool

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Window is the side of the window, in pixels.
const Window = 24

const (
	cell         = 4 // side of a HOG cell, in pixels
	cells        = Window / cell
	orientations = 8
	least        = 2 // side of the smallest rectangle of a Haar feature

	// HOG is the number of HOG features of every pool. They come first.
	HOG = 3 * cells * cells * orientations
	// Haar is the number of Haar features of the paper's pool.
	Haar = 61000
)

// Shape is the arrangement of the rectangles of a feature.
type Shape uint8

// The shapes. Rectangles of a Haar feature are adjacent; those marked − are subtracted, and the
// middle one of a line counts twice.
const (
	Cell    Shape = iota // one rectangle of a gradient plane
	EdgeX                // + −
	EdgeY                // + over −
	LineX                // + − +
	LineY                // + over − over +
	Checker              // + − over − +
	shapes
)

// extent is the number of rectangles of a shape across and down.
var extent = [shapes][2]int{Cell: {1, 1}, EdgeX: {2, 1}, EdgeY: {1, 2}, LineX: {3, 1}, LineY: {1, 3}, Checker: {2, 2}}

// Feature is one feature of a pool.
type Feature struct {
	Shape   Shape
	Channel uint8 // 0 red, 1 green, 2 blue
	// Orientation is the direction of the gradient, in steps of 22.5°, of a cell.
	Orientation uint8
	X, Y        uint8 // the upper left corner in the window
	W, H        uint8 // size of one rectangle
}

var shapeNames = [shapes]string{"hog", "edge-x", "edge-y", "line-x", "line-y", "checker"}

// String returns the unique name of the feature.
func (f Feature) String() string {
	s := fmt.Sprintf("%s-%c-%d-%d-%dx%d", shapeNames[f.Shape], "rgb"[f.Channel], f.X, f.Y, f.W, f.H)
	if f.Shape == Cell {
		s += fmt.Sprintf("-o%d", f.Orientation)
	}
	return s
}

// Pool is a list of features. It is immutable.
type Pool struct {
	features []Feature
	id       string
}

// New returns the pool of all HOG features and of haar Haar features, drawn with the given seed. It
// returns an error if a shape does not have that many features.
//
// Each shape gets an equal number of them, and earlier shapes get the remainder. Candidates of a
// shape are listed by channel, row, column, height and width, with rectangles of at least 2×2
// pixels. Each draws a number from a PCG stream seeded with (seed, shape); those with the smallest
// numbers are used, in the order of the list.
func New(haar int, seed uint64) (*Pool, error) {
	if haar < 0 {
		return nil, fmt.Errorf("keypoint: a pool of %d Haar features: the number must not be negative", haar)
	}
	p := &Pool{features: hog()}
	const kinds = int(shapes - EdgeX)
	for s := EdgeX; s < shapes; s++ {
		n := haar / kinds
		if int(s-EdgeX) < haar%kinds {
			n++
		}
		all := candidates(s)
		if n > len(all) {
			return nil, fmt.Errorf("keypoint: a pool of %d Haar features: at most %d of shape %s can be drawn", haar, len(all), shapeNames[s])
		}
		p.features = append(p.features, draw(all, n, seed)...)
	}
	hash := sha256.New()
	if err := binary.Write(hash, binary.LittleEndian, p.features); err != nil {
		return nil, err
	}
	p.id = fmt.Sprintf("hog%d+haar%d-seed%d-%x", HOG, haar, seed, hash.Sum(nil)[:4])
	return p, nil
}

// ID returns a name that identifies the pool.
func (p *Pool) ID() string { return p.id }

// Len returns the number of features.
func (p *Pool) Len() int { return len(p.features) }

// Feature returns feature j.
func (p *Pool) Feature(j int) Feature { return p.features[j] }

// Names returns the names of all features.
func (p *Pool) Names() []string {
	names := make([]string, len(p.features))
	for j, f := range p.features {
		names[j] = f.String()
	}
	return names
}

func hog() []Feature {
	var out []Feature
	for c := range 3 {
		for y := range cells {
			for x := range cells {
				for o := range orientations {
					out = append(out, Feature{Cell, uint8(c), uint8(o), uint8(cell * x), uint8(cell * y), cell, cell})
				}
			}
		}
	}
	return out
}

// candidates lists the Haar features of a shape.
func candidates(s Shape) []Feature {
	across, down := extent[s][0], extent[s][1]
	var out []Feature
	for c := range 3 {
		for y := range Window {
			for x := range Window {
				for h := least; y+down*h <= Window; h++ {
					for w := least; x+across*w <= Window; w++ {
						out = append(out, Feature{s, uint8(c), 0, uint8(x), uint8(y), uint8(w), uint8(h)})
					}
				}
			}
		}
	}
	return out
}

// draw returns n of the candidates of one shape, in their order.
func draw(all []Feature, n int, seed uint64) []Feature {
	if n == 0 {
		return nil
	}
	source := rand.NewPCG(seed, uint64(all[0].Shape))
	type lot struct {
		number uint64
		at     int
	}
	lots := make([]lot, len(all))
	for i := range lots {
		lots[i] = lot{source.Uint64(), i}
	}
	slices.SortFunc(lots, func(a, b lot) int { return cmp.Or(cmp.Compare(a.number, b.number), a.at-b.at) })
	lots = lots[:n]
	slices.SortFunc(lots, func(a, b lot) int { return a.at - b.at })
	out := make([]Feature, n)
	for i, l := range lots {
		out[i] = all[l.at]
	}
	return out
}
