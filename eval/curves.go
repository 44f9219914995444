package eval

import (
	"cmp"
	"math"
	"slices"
)

// cut is the weight of the rows with at least a given score, by class.
type cut struct {
	score    float64
	pos, neg float64
}

// cuts returns a cut for each score with a positive weight, from the highest to the lowest. all is
// the last cut, which has all rows. Rows with equal scores are added in the order of their class
// and weight, so the result does not depend on the order of rows. If the total weight is 0, or a
// score is NaN, there are no cuts.
func cuts(score, y []float64, w weights) (list []cut, all cut) {
	order := make([]int, 0, len(score))
	for i := range score {
		if math.IsNaN(score[i]) {
			return nil, cut{}
		}
		if w.at(i) != 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(score[b], score[a]); c != 0 {
			return c
		}
		if (y[a] > 0) != (y[b] > 0) {
			if y[a] > 0 {
				return -1
			}
			return 1
		}
		return cmp.Compare(w.at(a), w.at(b))
	})
	for at, i := range order {
		all.score = score[i]
		if y[i] > 0 {
			all.pos += w.at(i)
		} else {
			all.neg += w.at(i)
		}
		if at+1 == len(order) || score[order[at+1]] != score[i] {
			list = append(list, all)
		}
	}
	return list, all
}

// ROCPoint is the result of predicting the positive class for all rows with at least
// a given score.
type ROCPoint struct {
	Score float64 // the lowest score that is predicted positive
	FPR   float64 // share of the negative rows that are predicted positive
	TPR   float64 // share of the positive rows that are predicted positive
}

// ROC returns the points of the ROC curve: one for each different score, from the highest to the
// lowest, after the point at which no row is predicted positive, whose score is +Inf. A row is
// positive if y > 0. It is nil if a class has no weight or a score is NaN.
func ROC(score, y, w []float64) []ROCPoint {
	check("ROC", len(score), len(y), w)
	list, all := cuts(score, y, w)
	if all.pos == 0 || all.neg == 0 {
		return nil
	}
	points := []ROCPoint{{Score: math.Inf(1)}}
	for _, c := range list {
		points = append(points, ROCPoint{c.score, c.neg / all.neg, c.pos / all.pos})
	}
	return points
}

// PRPoint is the result of predicting the positive class for all rows with at least
// a given score.
type PRPoint struct {
	Score     float64 // the lowest score that is predicted positive
	Precision float64 // share of the rows predicted positive that are positive
	Recall    float64 // share of the positive rows that are predicted positive
}

// PrecisionRecall returns the points of the precision-recall curve: one for each different score,
// from the highest to the lowest, after the point at which no row is predicted positive, whose
// score is +Inf and whose precision is 1 by convention. It is nil if no positive row has weight or
// a score is NaN.
func PrecisionRecall(score, y, w []float64) []PRPoint {
	check("PrecisionRecall", len(score), len(y), w)
	list, all := cuts(score, y, w)
	if all.pos == 0 {
		return nil
	}
	points := []PRPoint{{Score: math.Inf(1), Precision: 1}}
	for _, c := range list {
		points = append(points, PRPoint{c.score, c.pos / (c.pos + c.neg), c.pos / all.pos})
	}
	return points
}

// AveragePrecision returns the area under the precision-recall curve as a sum of steps: each gain
// in recall times the precision at that point. Rows with equal scores are one step. Random scores
// give the share of weight that is positive. It is NaN if no positive row has weight or a score is
// NaN.
func AveragePrecision(score, y, w []float64) float64 {
	check("AveragePrecision", len(score), len(y), w)
	list, all := cuts(score, y, w)
	var sum, reached float64
	for _, c := range list {
		sum += (c.pos - reached) * c.pos / (c.pos + c.neg)
		reached = c.pos
	}
	return sum / all.pos
}
