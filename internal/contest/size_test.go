package contest

import (
	"slices"
	"testing"

	"fsa/internal/plan"
	"fsa/internal/search"
)

// With one budget, the winner is also run with smaller ones, without swaps, for the curve of error against money.
func TestCheaper(t *testing.T) {
	config := normal(6, 100, 8, 0.5, 2, 1, 1).config(t, "squared", plan.Request{K: 3}, 4)
	p := *config.Plan
	p.Sizes, config.Plan = []int{1, 2, 3}, &p
	for i := range config.Folds {
		config.Folds[i].Runner = search.NewRunner(config.Folds[i].Sample, p.Sizes)
	}
	v, err := Run(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, point := range v.Curve.Points {
		sizes = append(sizes, point.Size)
	}
	if v.Size != 3 || !slices.Equal(sizes, p.Sizes) {
		t.Errorf("size %d, and a curve of %v", v.Size, sizes)
	}
	want := v.Recipe
	want.Swaps = search.Swaps{}
	for _, size := range []int{1, 2} {
		if list := v.contest.bySize[size]; len(list) != 1 || list[0].Recipe != want {
			t.Errorf("size %d: %v", size, list)
		}
	}
}
