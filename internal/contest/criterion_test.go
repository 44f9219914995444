package contest

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/validate"
)

// A criterion finds the size on all rows. It also tries sizes between those of the plan.
func TestByCriterion(t *testing.T) {
	for _, lossName := range []string{"squared", "logistic"} {
		c := normal(7, 300, 10, 0.5, 2, -1, 1.5)
		if lossName == "logistic" {
			c.signs()
		}
		for name, of := range map[string]struct {
			sizes  []int
			refine bool
			size   int
			values []int
		}{
			"all sizes":  {[]int{0, 1, 2, 3, 4, 5}, true, 3, []int{0, 1, 2, 3, 4, 5}},
			"refined":    {[]int{0, 2, 5, 8}, true, 3, []int{0, 2, 3, 4, 5, 6, 8}},
			"as planned": {[]int{0, 2, 5, 8}, false, 5, []int{0, 2, 5, 8}},
		} {
			config := c.config(t, lossName, plan.Request{Sizes: of.sizes, Quick: true, Rule: "ebic"}, 0)
			config.Plan.Refine = of.refine
			if !config.Plan.Criterion() || config.Plan.Recipe.Direct {
				t.Fatalf("%+v", config.Plan)
			}
			size, values, err := ByCriterion(t.Context(), config.Whole, config.Plan)
			if err != nil {
				t.Fatal(err)
			}
			var sizes []int
			least := math.Inf(1)
			for _, v := range values {
				sizes, least = append(sizes, v.Size), min(least, v.Value)
			}
			if size != of.size || !slices.Equal(sizes, of.values) || values[slices.Index(sizes, size)].Value != least {
				t.Errorf("%s, %s: size %d of %v", lossName, name, size, values)
			}
			if !slices.Equal(config.Plan.Sizes, of.sizes) {
				t.Errorf("the plan was changed to %v", config.Plan.Sizes)
			}
		}
	}
}

// setLikelihood sets the likelihood of the recipe on all rows and its degrees of freedom.
func TestSetLikelihood(t *testing.T) {
	for _, lossName := range []string{"squared", "logistic"} {
		c := normal(8, 80, 5, 1, 2, 1)
		if lossName == "logistic" {
			c.signs()
		}
		config := c.config(t, lossName, plan.Request{K: 2}, 0)
		r := config.Plan.Recipe
		curve := validate.NewCurve([]int{1, 2}, [][]float64{{1}, {1}}, nil, 1)
		if err := setLikelihood(t.Context(), config.Whole, curve, 1, r); err != nil {
			t.Fatal(err)
		}
		f, err := config.Whole.Run(t.Context(), r, 2)
		if err != nil {
			t.Fatal(err)
		}
		want := 160 * f.Complete().Loss
		if lossName == "squared" {
			want = validate.NormalLoss(2*f.Complete().Loss, 80)
		}
		if p := curve.Points[1]; p.DF != 2 || math.Abs(p.Loss-want) > 1e-9*math.Abs(want) || curve.Rows != 80 || curve.Variables != 5 {
			t.Errorf("%s: %+v of %v rows, not %v", lossName, p, curve.Rows, want)
		}
		if p := curve.Points[0]; finite(p.Loss) {
			t.Errorf("%s: %+v was not asked for", lossName, p)
		}
	}
}

// If a column equals the target, the likelihood has no upper bound, but the value is finite.
func TestPerfectColumn(t *testing.T) {
	c := normal(8, 40, 3, 0, 1)
	config := c.config(t, "squared", plan.Request{Sizes: []int{0, 1, 2}, Quick: true, Rule: "bic"}, 0)
	size, values, err := ByCriterion(t.Context(), config.Whole, config.Plan)
	if err != nil || size != 1 || len(values) != 3 {
		t.Errorf("size %d of %v: %v", size, values, err)
	}
}

// Sizes whose descent diverges have no value; if all diverge, the choice fails.
func TestCriterionDiverged(t *testing.T) {
	c := normal(8, 80, 5, 1, 2, 1)
	config := c.config(t, "squared", plan.Request{Sizes: []int{0, 1, 2}, Quick: true, Rule: "bic", Eta: 1e9}, 0)
	size, values, err := ByCriterion(t.Context(), config.Whole, config.Plan)
	if err != nil || size != 0 || len(values) != 1 || values[0].Size != 0 {
		t.Errorf("size %d of %v: %v", size, values, err)
	}
	config = c.config(t, "squared", plan.Request{Sizes: []int{1, 2}, Quick: true, Rule: "bic", Eta: 1e9}, 0)
	if _, _, err := ByCriterion(t.Context(), config.Whole, config.Plan); !errors.Is(err, validate.ErrChoice) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	config = c.config(t, "squared", plan.Request{Sizes: []int{1, 2}, Quick: true, Rule: "bic"}, 0)
	if _, _, err := ByCriterion(ctx, config.Whole, config.Plan); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// With a criterion and folds, recipes are compared by cross-validation, and sizes by the criterion on all rows.
func TestCriterionOfWinners(t *testing.T) {
	config := normal(7, 120, 6, 0.5, 2, -1, 1.5).config(t, "squared", plan.Request{Rule: "bic", Sizes: []int{0, 1, 2, 3, 4}}, 3)
	g := began(t, config)
	recipes, err := g.recipes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	best, err := g.openSize(t.Context(), recipes)
	if err != nil || best.Size != 3 {
		t.Errorf("size %d: %v", best.Size, err)
	}
	curve := g.curve(func(t *Trial) []float64 { return t.Errors })
	if err := g.likelihoods(t.Context(), curve); err != nil {
		t.Fatal(err)
	}
	for _, p := range curve.Points {
		f, err := search.NewRunner(config.Whole.Sample, config.Plan.Sizes).Run(t.Context(), g.winner(p.Size).Recipe, p.Size)
		if err != nil {
			t.Fatal(err)
		}
		if want := validate.NormalLoss(2*f.Complete().Loss, 120); math.Abs(p.Loss-want) > 1e-3 || p.DF != float64(p.Size) {
			t.Errorf("size %d: %v, not %v", p.Size, p.Loss, want)
		}
	}
}
