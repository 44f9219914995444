package contest

import (
	"slices"
	"testing"

	"fsa/internal/plan"
)

// A fold is left out of each repeat, and its errors count for no trial.
func TestWithout(t *testing.T) {
	a, b := &Trial{Errors: []float64{1, 2, 3, 4}}, &Trial{Errors: []float64{5, 6, 7, 8}}
	a.Recipe.Ridge, b.Recipe.Ridge = 1, 2
	g := newContest(Config{Plan: &plan.Plan{}, Folds: make([]Fold, 4), Repeats: 2})
	g.bySize, g.sizes = map[int][]*Trial{0: {a}, 3: {b, a}}, []int{0, 3}
	for fold, want := range [][]float64{{2, 4}, {1, 3}, {2, 4}, {1, 3}} {
		others := g.without(fold)
		if len(others.bySize[0]) != 1 || len(others.bySize[3]) != 2 || !slices.Equal(others.sizes, g.sizes) {
			t.Fatalf("fold %d: %v", fold, others.bySize)
		}
		for i, trial := range []*Trial{others.bySize[3][1], others.bySize[0][0]} {
			if !slices.Equal(trial.Errors, want) || trial.Mean != (want[0]+want[1])/2 || trial.Recipe != a.Recipe || trial.Size != 3*(1-i) {
				t.Errorf("fold %d: %+v", fold, trial)
			}
		}
		if others.bySize[3][0].Recipe != b.Recipe {
			t.Errorf("fold %d: %+v", fold, others.bySize[3])
		}
	}
	g.Repeats = 1
	if got := g.without(2).bySize[0][0].Errors; !slices.Equal(got, []float64{1, 2, 4}) {
		t.Errorf("one repeat: %v", got)
	}
}

// The honest fit of a fold has the size and the recipe that the other folds choose.
func TestHonest(t *testing.T) {
	for name, c := range map[string]struct {
		r    plan.Request
		want []int // size in each fold
	}{
		"open":         {plan.Request{Sizes: []int{0, 1, 2}, Rule: "min"}, []int{2, 2, 2, 1}},
		"by criterion": {plan.Request{Sizes: []int{0, 1, 2}, Rule: "bic"}, []int{2, 2, 2, 2}},
		"given":        {plan.Request{K: 2}, []int{2, 2, 2, 2}},
	} {
		g := began(t, normal(6, 100, 8, 0.5, 2, 1).config(t, "squared", c.r, 4))
		strong := g.Plan.Recipe
		strong.Ridge = 100
		two := &Trial{Recipe: g.Plan.Recipe, Size: 2, Errors: []float64{1.1, 1.1, 1.1, 0.1}, Mean: 0.85}
		g.bySize[0] = []*Trial{{Errors: []float64{9, 9, 9, 9}, Mean: 9}}
		g.bySize[1] = []*Trial{{Recipe: strong, Size: 1, Errors: []float64{1, 1, 1, 1}, Mean: 1}}
		g.bySize[2] = []*Trial{two}
		fits, err := (&Verdict{contest: g, Trial: two}).Honest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range fits {
			if len(f.Groups) != c.want[i] || f.Ridge != g.bySize[c.want[i]][0].Recipe.Ridge {
				t.Errorf("%s, fold %d: %d variables with ridge %v, not %d", name, i, len(f.Groups), f.Ridge, c.want[i])
			}
		}
	}
}
