package eval

import (
	"cmp"
	"math"
	"slices"
)

// NDCG returns the normalised discounted cumulative gain of the k rows of each query with the
// highest scores, averaged over queries. Query q has the rows query[q] up to, but not including,
// query[q+1], so query has one entry more than there are queries. A row of relevance y, at least 0,
// gains 2^y − 1, divided by log2(1 + rank) at its rank by score; the sum is divided by that of the
// best order. Equal scores are ranked by index. If k ≤ 0, all rows of a query count.
//
// A query without a relevant row is left out of the mean, because no order of it is best. (Other
// programs count such a query as 1 or 0.) The result is NaN if no query is left or a score is NaN.
func NDCG(score, y []float64, query []int, k int) float64 {
	check("NDCG", len(score), len(y), nil)
	var sum float64
	var queries int
	for q := range len(query) - 1 {
		from, to := bounds("NDCG", query, q, len(y))
		places := to - from
		if k > 0 {
			places = min(places, k)
		}
		best := slices.Clone(y[from:to])
		slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
		ideal := gain(best[:places])
		if ideal <= 0 {
			continue
		}
		found, ok := inOrder(score[from:to], y[from:to])
		if !ok {
			return math.NaN()
		}
		sum += gain(found[:places]) / ideal
		queries++
	}
	return sum / float64(queries)
}

// inOrder returns the relevances y by descending score, equal scores by index. ok is false if a
// score is NaN.
func inOrder(score, y []float64) ([]float64, bool) {
	order := make([]int, len(score))
	for i := range order {
		if score[i] != score[i] {
			return nil, false
		}
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b))
	})
	sorted := make([]float64, len(y))
	for place, i := range order {
		sorted[place] = y[i]
	}
	return sorted, true
}

// gain is the discounted cumulative gain of relevances in the order shown.
func gain(relevance []float64) float64 {
	var sum float64
	for place, r := range relevance {
		sum += (math.Exp2(r) - 1) / math.Log2(float64(place)+2)
	}
	return sum
}
