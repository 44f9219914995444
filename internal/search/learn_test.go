package search

import (
	"math"
	"slices"
	"testing"
)

// Another selection that takes columns over from a fit has the same columns, and the same optimum, as one that fetches all.
func TestLearnNear(t *testing.T) {
	table := normal(3, 240, 6, 0.3, 1, 2, -1, 1, 0.5).holdOut(5)
	for i := 0; i < len(table.x); i += table.cols {
		table.x[i] = float64(i / table.cols % 4)
	}
	for _, bins := range []int{0, 5} {
		for _, texts := range []int{0, 1} {
			for _, name := range []string{"squared", "logistic", "multinomial"} {
				c := *table.of(name)
				c.bins, c.texts = bins, texts
				s := c.sample(t, name)
				near, err := s.Learn(t.Context(), []int{0, 1, 3}, 0.01, false, nil)
				if err != nil {
					t.Fatal(err)
				}
				for _, groups := range [][]int{{0, 2, 3}, {1, 2, 4}, {0, 1, 2, 3, 5}, {0, 3}, {2, 4}} {
					want, err := s.Learn(t.Context(), groups, 0.01, false, nil)
					if err != nil {
						t.Fatal(err)
					}
					got, err := s.learnNear(t.Context(), groups, near)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.EqualFunc(got.problem.X, want.problem.X, slices.Equal) || !slices.Equal(got.problem.Penalty, want.problem.Penalty) {
						t.Errorf("%s, %d bins, %d texts, groups %v: other columns", name, bins, texts, groups)
					}
					for i, v := range want.result().Beta {
						if math.Abs(got.result().Beta[i]-v) > 1e-6 {
							t.Errorf("%s, %d bins, %d texts, groups %v: coefficient %d is %v, want %v", name, bins, texts, groups, i, got.result().Beta[i], v)
						}
					}
				}
			}
		}
	}
}
