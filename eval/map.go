package eval

import (
	"math"
	"slices"
)

// MAP returns the mean over queries of the average precision of a query, whose rows are relevant if
// y > 0. Queries are given as for [NDCG]. Rows with equal scores are one step, as in
// [AveragePrecision].
//
// A query without a relevant row is left out of the mean. The result is NaN if no query is left or
// a score is NaN.
func MAP(score, y []float64, query []int) float64 {
	check("MAP", len(score), len(y), nil)
	var sum, queries float64
	for q := range len(query) - 1 {
		from, to := bounds("MAP", query, q, len(y))
		if slices.ContainsFunc(score[from:to], math.IsNaN) {
			return math.NaN()
		}
		if ap := AveragePrecision(score[from:to], y[from:to], nil); ap == ap {
			sum += ap
			queries++
		}
	}
	return sum / queries
}
