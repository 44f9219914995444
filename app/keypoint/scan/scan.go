// Package scan runs a detector over every position of a photograph.
//
// A detector is a sum of responses to features of the window around a position. A scan takes a tile
// of windows at a time and adds the responses feature by feature, starting with those that can
// lower a score most. A block of windows is abandoned as soon as even the highest responses to all
// remaining features could not lift one of them to the threshold. Scores are whole multiples of a
// small unit, so sums are exact: abandoning windows does not change which windows reach the
// threshold, nor their scores.
package scan

import (
	"cmp"
	"math"
	"slices"

	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/pool"
)

// Term is a feature of a detector, and the response to each of its bytes.
type Term struct {
	Feature  pool.Feature
	Range    pool.Range
	Response [256]float64
}

// Scanner is a detector that is ready to run. It is immutable and safe for concurrent use.
type Scanner struct {
	kernels [pool.Ops]kernel
	planes  pool.Planes
	terms   []term
	base    int32
	unit    float64 // value of one step of an integer score
	rest    []int64 // the most that each term and all later ones can add
}

// term is a Term in integers.
type term struct {
	feature pool.Feature
	rng     pool.Range
	table   [256]int32
}

// New returns the detector whose score is the intercept plus the responses of
// the terms.
func New(intercept float64, terms []Term) *Scanner {
	s := &Scanner{kernels: fastest(), terms: make([]term, len(terms)), rest: make([]int64, len(terms)+1)}
	reach := math.Abs(intercept)
	for i := range terms {
		largest := 0.0
		for _, v := range terms[i].Response {
			largest = max(largest, math.Abs(v))
		}
		reach += largest
	}
	// No sum of responses may exceed 31 bits.
	s.unit = max(math.Ldexp(1, -finest), math.Ldexp(reach, -29))
	s.base = s.whole(intercept)
	for i, t := range terms {
		s.terms[i] = term{feature: t.Feature, rng: t.Range}
		for c, v := range t.Response {
			s.terms[i].table[c] = s.whole(v)
		}
		s.planes = s.planes.With(t.Feature)
	}
	slices.SortStableFunc(s.terms, func(a, b term) int { return cmp.Compare(b.spread(), a.spread()) })
	for i := len(s.terms) - 1; i >= 0; i-- {
		s.rest[i] = s.rest[i+1] + int64(slices.Max(s.terms[i].table[:]))
	}
	return s
}

// finest is the number of binary digits of a score after the point.
const finest = 16

func (s *Scanner) whole(v float64) int32 { return int32(math.Round(v / s.unit)) }

// spread is how much a term can lower a score below its highest value.
func (t *term) spread() int32 { return slices.Max(t.table[:]) - slices.Min(t.table[:]) }

// Hit is a window that reaches the threshold: the one around pixel (X, Y).
type Hit struct {
	X, Y  int
	Score float64
}

// The size of the tiles of a scan, in windows: so large that the margin of a tile costs little, and
// so small that its tables stay in the cache.
const (
	tileW = 256
	tileH = 64
)

// Room is the working memory of a scan. Only one goroutine may use it at a time; it can be reused
// for any detector.
type Room struct {
	tile   pool.Tile
	score  []int32
	blocks []int32
	// Evaluated counts the computed responses, for tuning.
	Evaluated int64
}

// All is a threshold that every window reaches.
const All = -math.MaxFloat64

// Tile is a piece of a photograph's pyramid: the windows around W×H pixels of a level, starting at
// (X, Y).
type Tile struct {
	Level, X, Y, W, H int
}

// Tiles cuts a level into tiles.
func Tiles(level int, m *photo.Image) []Tile {
	var out []Tile
	for y := 0; y < m.H; y += tileH {
		for x := 0; x < m.W; x += tileW {
			out = append(out, Tile{level, x, y, min(tileW, m.W-x), min(tileH, m.H-y)})
		}
	}
	return out
}

// Image appends to hits the windows of an image that reach the threshold, in
// the order of tiles.
func (s *Scanner) Image(hits []Hit, m *photo.Image, threshold float64, r *Room) []Hit {
	for _, t := range Tiles(0, m) {
		hits = s.Tile(hits, m, t, threshold, r)
	}
	return hits
}

// Tile appends to hits the windows of a tile of an image that reach the
// threshold.
func (s *Scanner) Tile(hits []Hit, m *photo.Image, tile Tile, threshold float64, r *Room) []Hit {
	r.tile.Fill(m, tile.X, tile.Y, tile.W, tile.H, s.planes)
	stride := r.tile.Stride
	r.start(s.base)
	// Scores have at most 32 bits: beyond them, all windows reach the threshold or none does.
	need := int64(min(max(math.Ceil(threshold/s.unit), math.MinInt32), math.MaxInt32+1))
	for k := range s.terms {
		if k%checkEvery == 0 {
			r.drop(need - s.rest[k])
			if len(r.blocks) == 0 {
				return hits
			}
		}
		t := &s.terms[k]
		at, _ := t.feature.Corners(stride)
		s.kernels[t.feature.Op()](r.score, r.tile.Sums[t.feature.Plane()], r.tile.Norm[t.feature.Channel], r.blocks, &at, t.rng.Low, t.rng.Scale, &t.table)
		r.Evaluated += int64(len(r.blocks)) * pool.Lanes
	}
	for _, b := range r.blocks {
		row, col := int(b)/stride, int(b)%stride
		for i := range min(pool.Lanes, tile.W-col) {
			if v := r.score[int(b)+i]; int64(v) >= need {
				hits = append(hits, Hit{tile.X + col + i, tile.Y + row, float64(v) * s.unit})
			}
		}
	}
	return hits
}

// checkEvery is the number of terms that are added before blocks are dropped.
const checkEvery = 8

// start lists all blocks of the tile, with the given score.
func (r *Room) start(base int32) {
	stride := r.tile.Stride
	size := stride*r.tile.H + pool.Lanes
	if cap(r.score) < size {
		r.score = make([]int32, size)
	}
	r.score = r.score[:size]
	for i := range r.score {
		r.score[i] = base
	}
	r.blocks = r.blocks[:0]
	for y := range r.tile.H {
		for x := 0; x < r.tile.W; x += pool.Lanes {
			r.blocks = append(r.blocks, int32(y*stride+x))
		}
	}
}

// drop drops the blocks in which no window has the given score.
func (r *Room) drop(need int64) {
	if need <= math.MinInt32 {
		return
	}
	if need > math.MaxInt32 {
		r.blocks = r.blocks[:0]
		return
	}
	least := int32(need)
	kept := r.blocks[:0]
	for _, b := range r.blocks {
		lanes := r.score[b : b+pool.Lanes]
		for _, v := range lanes {
			if v >= least {
				kept = append(kept, b)
				break
			}
		}
	}
	r.blocks = kept
}
