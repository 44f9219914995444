package search

import (
	"context"
	"math"

	"fsa/internal/matrix"
)

// SetCategories sets the prior pseudo-count of the categories of each categorical column. Without
// shrinkage, a column with many categories would fit the noise of its rows. A one-way analysis of
// variance of the gradient of the null model estimates how much of the variance between categories is
// not noise, and effects are shrunk accordingly (James and Stein 1961). If the categories do not
// differ by more than chance, the pseudo-count is the number of rows, which shrinks them to almost zero.
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
	total, heavy := squared(slopes, weight)
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

// anova is a one-way analysis of variance of the gradients of rows by category.
type anova struct {
	rows, weight, total float64 // number of rows, their weight, and their sum of squares
	categories          float64 // number of categories that have rows
	between             float64 // sum of squares between categories
	squares             float64 // sum of the squared weights of the categories
}

// category adds a category, given the weight of its rows and, for each output, the sums of gradients
// by column.
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

// shrinkage returns the prior pseudo-count of each category, at least one row.
func (a *anova) shrinkage() float64 {
	if a.categories <= 3 { // the James–Stein estimator needs more
		return 1
	}
	most := a.rows                                                                    // shrinks to almost zero
	usual := (a.weight - a.squares/a.weight) / (a.categories - 1) * a.rows / a.weight // typical number of rows of a category
	within := (a.total - a.between) / (a.rows - a.categories)
	if a.rows <= a.categories { // the variance within categories is unknown
		return most
	}
	chance := (a.categories - 3) / (a.categories - 1)
	f := a.between / (a.categories - 1) / max(within, math.SmallestNonzeroFloat64)
	if f <= chance {
		return most
	}
	return min(max(usual*chance/(f-chance), 1), most)
}
