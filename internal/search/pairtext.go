package search

import (
	"context"

	"fsa/data"
)

// categories are the categories of a text in the rows with a weight.
type categories struct {
	column      int
	of          []int // category of each row; −1 if it is missing
	count       int
	significant float64
}

// categories returns the texts that can be in a pair: those with enough rows for each category.
func (t *pairTest) categories(ctx context.Context) ([]categories, error) {
	var list []categories
	for _, j := range t.texts {
		code, err := t.Data.CategoryOf(ctx, j)
		if err != nil {
			return nil, err
		}
		levels, _ := t.Data.Levels(j)
		c := categories{column: j, of: pick(code, t.rows), count: len(levels)}
		if c.count < 2 || !t.Many(c.count) {
			continue
		}
		c.significant = t.significant(c.count - 1)
		list = append(list, c)
	}
	return list, nil
}

// againstCategories tests whether the slope of a number differs between the categories of each text,
// and returns the pairs that may be significant.
func (t *pairTest) againstCategories(a int, x []float64, texts []categories) []candidate {
	var list []candidate
	for _, c := range texts {
		if !t.mayPair(a, c.column) {
			continue
		}
		sum, squares := make([]float64, c.count), make([]float64, c.count)
		for i, l := range c.of {
			if l >= 0 {
				v := x[i] * t.slope[i]
				sum[l] += v
				squares[l] += v * v
			}
		}
		var statistic, all, allSquares float64
		for l, s := range sum {
			if squares[l] > 0 {
				statistic += s * s / squares[l]
				all, allSquares = all+s, allSquares+squares[l]
			}
		}
		if allSquares > 0 {
			statistic -= all * all / allSquares // a slope that all categories have in common
		}
		if free := float64(c.count - 1); statistic-free > nearly*(c.significant-free) { // its mean is free if there is no effect
			list = append(list, candidate{pair: data.Interaction{a, c.column}, statistic: statistic / c.significant, line: true})
		}
	}
	return list
}
