package keypoint

import (
	"cmp"
	"context"
	"slices"

	"fsa/app/keypoint/faces"
	"fsa/app/keypoint/photo"
	"fsa/app/keypoint/scan"
	"fsa/internal/parallel"
)

// Margin is the score that a negative should not reach: above it, its loss is positive. Few
// keypoints have a lower score.
const Margin = -1.0

// mineBatch is the number of photographs that are scanned before the threshold is raised to the
// score of the hardest negatives so far. It does not depend on the number of threads, so neither do
// the negatives.
const mineBatch = 32

type scored struct {
	Example
	score float64
}

// harder orders negatives, the hardest first.
func harder(a, b scored) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.Photo, b.Photo), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
}

// mine scans all photographs with a detector and returns the n negative windows with the highest
// scores, among those that reach the margin and are new. Of neighbouring windows only the highest
// is taken, because the others are nearly the same.
func mine(ctx context.Context, a *album, d *Detector, n int, known map[Example]bool, threads int) ([]Example, error) {
	rooms := make([]scan.Room, threads)
	var hardest []scored
	threshold := Margin
	for first := 0; first < len(a.photos); first += mineBatch {
		batch := min(mineBatch, len(a.photos)-first)
		found := make([][]scored, batch)
		err := parallel.Do(ctx, threads, batch, func(thread, i int) error {
			levels, err := a.pyramid(first + i)
			if err != nil {
				return err
			}
			found[i] = negativesOf(a.photos[first+i], levels, d, threshold, &rooms[thread])
			for k := range found[i] {
				found[i][k].Photo = first + i
			}
			found[i] = slices.DeleteFunc(found[i], func(s scored) bool { return known[s.Example] })
			return nil
		})
		if err != nil {
			return nil, err
		}
		hardest = append(hardest, slices.Concat(found...)...)
		slices.SortFunc(hardest, harder)
		if len(hardest) >= n {
			hardest = hardest[:n:n]
			threshold = hardest[n-1].score
		}
	}
	out := make([]Example, len(hardest))
	for i, s := range hardest {
		out[i] = s.Example
	}
	return out, nil
}

// negativesOf returns the negative windows of a photograph that reach the threshold.
func negativesOf(p *faces.Photo, levels []*photo.Level, d *Detector, threshold float64, r *scan.Room) []scored {
	var out []scored
	var hits []scan.Hit
	for l, level := range levels {
		not := levelSize{level.W, level.H, level.Scale}.negatives(p, d.point)
		hits = slices.DeleteFunc(d.scanner.Image(hits[:0], level.Image, threshold, r), func(h scan.Hit) bool { return !not.holds(h.X, h.Y) })
		for _, h := range peaks(hits) {
			out = append(out, scored{Example{Level: l, X: h.X, Y: h.Y}, h.Score})
		}
	}
	return out
}
