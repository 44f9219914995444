package keypoint

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"fsa"
	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/pool"
	"fsa/app/keypoint/scan"
	"fsa/internal/parallel"
)

// Detection is a position on a photograph where a detector found its keypoint.
type Detection struct {
	faces.XY
	// Scale is that of its level: the number of pixels of the photograph per pixel of the level.
	Scale float64 `json:"scale"`
	Score float64 `json:"score"`
}

// Detect returns the positions on a photograph that reach the threshold, the highest score first.
// Name is for messages.
//
// Every pixel of every level of the photograph's pyramid is scanned. A position is kept if it is a
// peak on its level and not close to a better one on any level. It is then moved to the centre of
// its neighbourhood, and dropped if that brings it close to a better one. Positions down to
// [Margin] are scanned for any threshold, so a higher threshold only drops detections and does not
// change the others.
func (d *Detector) Detect(ctx context.Context, m *photo.Image, name string, threshold float64, threads int) ([]Detection, error) {
	levels, err := pyramid(m, name)
	if err != nil {
		return nil, err
	}
	return d.detect(ctx, levels, threshold, threads)
}

func (d *Detector) detect(ctx context.Context, levels []*photo.Level, threshold float64, threads int) ([]Detection, error) {
	if math.IsNaN(threshold) {
		return nil, fmt.Errorf("%w: the threshold must be a number", fsa.ErrOptions)
	}
	threads = threadsOr(threads)
	var tiles []scan.Tile
	for l, level := range levels {
		tiles = append(tiles, scan.Tiles(l, level.Image)...)
	}
	hits := make([][]scan.Hit, len(tiles))
	rooms := make([]scan.Room, threads)
	err := parallel.Do(ctx, threads, len(tiles), func(thread, i int) error {
		hits[i] = d.scanner.Tile(nil, levels[tiles[i].Level].Image, tiles[i], min(threshold, Margin), &rooms[thread])
		return nil
	})
	if err != nil {
		return nil, err
	}
	fields := make([]field, len(levels))
	var found []candidate
	for l, level := range levels {
		var all []scan.Hit
		for i, t := range tiles {
			if t.Level == l {
				all = append(all, hits[i]...)
			}
		}
		fields[l] = newField(all)
		for _, h := range all {
			if fields[l].peak(h) {
				found = append(found, candidate{Detection{place(level, h.X, h.Y), level.Scale, h.Score}, l})
			}
		}
	}
	kept := slices.DeleteFunc(suppress(found), func(c candidate) bool { return c.Score < threshold })
	for i, c := range kept {
		kept[i].Detection = refine(c.Detection, c.level, levels, fields)
	}
	// Peaks of one keypoint on several levels move to the same position.
	var out []Detection
	for _, c := range suppress(kept) {
		out = append(out, c.Detection)
	}
	return out, nil
}

// candidate is a detection that may be suppressed by others.
type candidate struct {
	Detection
	level int
}

// apart is the distance, in pixels of its level, within which a detection suppresses lower ones: a
// quarter of a window, about a fifth of the distance between the eyes.
const apart = pool.Window / 4

// suppress returns the candidates, the highest first, without those that are close to a higher one.
func suppress(found []candidate) []candidate {
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Scale, b.Scale), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
	})
	var kept []candidate
	for _, d := range found {
		if !slices.ContainsFunc(kept, func(k candidate) bool { return distance(k.XY, d.XY) < apart*k.Scale }) {
			kept = append(kept, d)
		}
	}
	return kept
}

func distance(a, b faces.XY) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
