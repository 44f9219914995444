package contest

import (
	"testing"

	"fsa/internal/search"
)

// Steps take a part to its shares, the first two parts count a selection once on each fold, and a part may be entered again.
func TestSteps(t *testing.T) {
	var told []Step
	s := &steps{tell: func(at Step) { told = append(told, at) }, ran: map[search.Selection]int{}}
	lines, curves := search.Recipe{}, search.Recipe{Select: search.Selection{Bins: 5}}
	share := shares([]search.Selection{lines.Select, curves.Select})
	s.enter(Recipes, share[0], 2, "straight lines")
	for _, r := range []search.Recipe{lines, {Ridge: 1}} {
		for fold := range 2 {
			s.did(key{r, 3}, fold, 2)
		}
	}
	s.enter(Recipes, share[1], 2, "curves")
	s.did(key{curves, 3}, 0, 1) // in the race
	s.did(key{search.Recipe{}, 0}, 0, 2)
	s.again(Sizes, 0.5, 4, "")
	s.did(key{curves, 1}, 0, 2)
	s.again(Sizes, 0.5, 1, "")
	s.did(key{curves, 1}, 1, 2)
	s.did(key{curves, 1}, 1, 2) // more than expected
	s.enter(Swaps, 1, 1, "")
	s.did(key{search.Recipe{Swaps: search.Swaps{Ridge: 1}}, 4}, 0, 2)
	want := []Step{
		{Recipes, 0, "straight lines"}, {Recipes, 1.0 / 6, "straight lines, fold 1 of 2"}, {Recipes, 1.0 / 3, "straight lines, fold 2 of 2"},
		{Recipes, 1.0 / 3, "straight lines, fold 1 of 2"}, {Recipes, 1.0 / 3, "straight lines, fold 2 of 2"},
		{Recipes, 1.0 / 3, "curves"}, {Recipes, 2.0 / 3, "curves with 5 bins, fold 1 of 1"},
		{Sizes, 0.125, "1 variable, fold 1 of 2"}, {Sizes, 0.5625, "1 variable, fold 2 of 2"},
		{Sizes, 0.5625, "1 variable, fold 2 of 2"}, {Swaps, 1, "4 variables, swaps, fold 1 of 2"},
	}
	for i, at := range told {
		if d := at.Share - want[i].Share; at.Part != want[i].Part || at.Doing != want[i].Doing || d > 1e-9 || d < -1e-9 {
			t.Errorf("step %d: %+v, not %+v", i, at, want[i])
		}
	}
	if len(told) != len(want) {
		t.Errorf("%d steps, not %d", len(told), len(want))
	}
}
