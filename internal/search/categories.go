package search

import (
	"context"
	"math"

	"fsa/internal/matrix"
	"fsa/internal/tuning"
)

// SetCategories sets the prior pseudo-counts of categories. A text of many categories fits
// the noise of its rows, so it is judged by what it would add to other rows: the variance
// between categories beyond that within a category is what a category may add (one-way
// analysis of variance of the gradient of the null model), and the rest is shrunk away
// (James and Stein 1961). Where it cannot be told from chance, next to nothing is left.
func (s *Sample) SetCategories(ctx context.Context) error {
	d := s.Design
	widths := d.X.Widths()
	if s.Categories = nil; d.Numbers >= matrix.Variables(d.X) {
		return nil
	}
	slopes, weight := s.NullGradient(ctx)
	sums := make([][]float64, 0, len(slopes)+1)
	for _, v := range append(slopes, weight) {
		g, err := matrix.MulT(ctx, d.X, v)
		if err != nil {
			return err
		}
		sums = append(sums, g)
	}
	var total, heavy float64 // squares of slopes, and weight, of all rows
	for i, w := range weight {
		heavy += w
		for _, g := range slopes {
			if w > 0 {
				total += g[i] * g[i] / w
			}
		}
	}
	count := sums[len(slopes)]
	s.Categories = make([]float64, len(widths)-d.Numbers)
	at := 0
	for v, width := range widths {
		if v >= d.Numbers {
			a := anova{rows: float64(s.Effective), weight: heavy, total: total}
			for p := at; p < at+width; p++ {
				a.category(count[p], sums[:len(slopes)], p)
			}
			s.Categories[v-d.Numbers] = a.shrinkage()
		}
		at += width
	}
	return nil
}

// anova is a one-way analysis of variance.
type anova struct {
	rows, weight, total float64 // rows, their weight, and their squares
	categories          float64 // that have rows,
	between             float64 // the squares that they explain,
	squares             float64 // and those of their weights
}

// category takes the category of a column: the weight of its rows, and the sums of their
// slopes.
func (a *anova) category(weight float64, sums [][]float64, column int) {
	if weight <= 0 {
		return
	}
	a.categories++
	a.squares += weight * weight
	for _, s := range sums {
		a.between += s[column] * s[column] / weight
	}
}

// shrinkage returns the prior pseudo-count of each category.
func (a *anova) shrinkage() float64 {
	if a.categories <= 3 { // there is nothing to share out
		return tuning.CategoryRows
	}
	usual := (a.weight - a.squares/a.weight) / (a.categories - 1) * a.rows / a.weight // rows of a category
	most := tuning.CategoryMostRows * max(usual, 1)
	within := (a.total - a.between) / (a.rows - a.categories)
	if a.rows <= a.categories { // nothing is known of what rows of one category share
		return most
	}
	chance := (a.categories - 3) / (a.categories - 1)
	f := a.between / (a.categories - 1) / max(within, math.SmallestNonzeroFloat64)
	f /= 1 + tuning.CategoryErrors*math.Sqrt(2/(a.categories-1)+2/(a.rows-a.categories))
	if f <= chance {
		return most
	}
	return min(max(usual*chance/(f-chance), tuning.CategoryRows), most)
}
