package keypoint

import (
	"cmp"
	"math"
	"slices"
)

// Curve is a precision-recall curve.
type Curve struct {
	Precision []float64 `json:"precision"`
	Recall    []float64 `json:"recall"`
	Score     []float64 `json:"score"` // the threshold at each point
	// AP is the average precision: the area under the curve, where the precision at a recall is the
	// best precision at that recall or a higher one.
	AP float64 `json:"ap"`
	// Keypoints is the number of keypoints to find.
	Keypoints int `json:"keypoints"`
}

// outcome says whether a detection is right or wrong.
type outcome struct {
	score float64
	found int  // keypoints for which this is the highest detection
	wrong bool // far from every keypoint
}

// newCurve returns the precision-recall curve of detections, given the number of keypoints to find;
// if that number is 0, the recall is 0. Two kinds of detections do not count: those near a keypoint
// but not within the hit distance, and those after the first at the same keypoint.
func newCurve(outcomes []outcome, keypoints int) *Curve {
	outcomes = slices.Clone(outcomes)
	slices.SortStableFunc(outcomes, func(a, b outcome) int { return cmp.Compare(b.score, a.score) })
	c := &Curve{Keypoints: keypoints}
	found, wrong := 0, 0
	for i, o := range outcomes {
		found += o.found
		if o.wrong {
			wrong++
		}
		// Detections with equal scores are taken together. A point is added only if something
		// changes.
		if last := i+1 == len(outcomes) || outcomes[i+1].score != o.score; !last || found+wrong == 0 {
			continue
		}
		precision, recall := float64(found)/float64(found+wrong), float64(found)/float64(max(keypoints, 1))
		// Of the points with equal recall, the first and the last are kept: a vertical line
		// connects them.
		n := len(c.Score)
		if n > 1 && c.Recall[n-2] == recall {
			n--
		}
		c.Precision, c.Recall, c.Score = append(c.Precision[:n], precision), append(c.Recall[:n], recall), append(c.Score[:n], o.score)
	}
	c.AP = averagePrecision(c.Precision, c.Recall)
	return c
}

// averagePrecision returns the area under the upper envelope of a curve.
func averagePrecision(precision, recall []float64) float64 {
	area, best := 0.0, 0.0
	for i := len(recall) - 1; i >= 0; i-- {
		best = max(best, precision[i])
		from := 0.0
		if i > 0 {
			from = recall[i-1]
		}
		area += best * (recall[i] - from)
	}
	return area
}

// RecallAt returns the highest recall at which the precision is at least the
// given one.
func (c *Curve) RecallAt(precision float64) float64 {
	best := 0.0
	for i, p := range c.Precision {
		if p >= precision {
			best = math.Max(best, c.Recall[i])
		}
	}
	return best
}
