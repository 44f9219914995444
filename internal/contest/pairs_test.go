package contest

import (
	"context"
	"math"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/validate"
)

// product returns rows whose target is the product of the first two columns times an effect, besides single effects.
func product(effect float64) *cells {
	c := normal(8, 200, 3, 0.3, 1, 1)
	for i := range c.y {
		c.y[i] += effect * c.x[3*i] * c.x[3*i+1]
	}
	return c
}

// pairing returns a contest in which interactions compete.
func pairing(t *testing.T, c *cells, r plan.Request) *contest {
	t.Helper()
	config := c.config(t, "squared", r, 4)
	if config.Plan.Interactions.Most == 0 {
		t.Fatal("no interactions compete")
	}
	return began(t, config)
}

// Interactions that are significant on the first fold compete, at sizes above the number of variables too; others do not.
func TestPairs(t *testing.T) {
	for name, c := range map[string]struct {
		of     *cells
		r      plan.Request
		change func(*contest)
		found  bool
		sizes  []int
	}{
		"a product":         {of: product(1), found: true, sizes: []int{0, 1, 2, 3, 4, 6}},
		"no product":        {of: product(0), sizes: []int{0, 1, 2, 3}},
		"sizes given":       {of: product(1), r: plan.Request{Sizes: []int{1, 3}}, found: true, sizes: []int{1, 3}},
		"not wanted":        {of: product(1), change: func(g *contest) { p := *g.Plan; p.Interactions, g.Plan = search.Interactions{}, &p }, sizes: []int{0, 1, 2, 3, 4, 6}},
		"the race":          {of: product(1), change: racing(-1), sizes: []int{0, 1, 2, 3}},
		"a tie in the race": {of: product(1), change: racing(0), found: true, sizes: []int{0, 1, 2, 3, 4, 6}},
	} {
		c.r.Pairs = true
		g := pairing(t, c.of, c.r)
		recipes, err := g.recipes(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if c.change != nil {
			c.change(g)
		}
		best, err := g.pairs(t.Context(), recipes)
		if err != nil {
			t.Fatal(err)
		}
		if (best != nil) != c.found || !slices.Equal(g.sizes, c.sizes) {
			t.Errorf("%s: %v, sizes %v", name, best, g.sizes)
		}
		if best != nil && (best.Recipe.Select.Interactions != g.Plan.Interactions || best.Size != c.sizes[len(c.sizes)-1]) {
			t.Errorf("%s: %v at size %d", name, best.Recipe, best.Size)
		}
	}
	g := pairing(t, product(1), plan.Request{Pairs: true})
	if best, err := g.pairs(t.Context(), nil); best != nil || err != nil {
		t.Errorf("without a recipe: %v %v", best, err)
	}
}

// racing returns a change of a contest: in the race, each held-out row gains so much.
func racing(gain float64) func(*contest) {
	return func(g *contest) {
		for i := range g.Folds {
			g.Folds[i].Gain = func(_, _ []float64) (of validate.Gain) {
				for range g.Folds[i].Test {
					of.Add(gain, 1)
				}
				return of
			}
		}
	}
}

// Interactions are added to the best recipe of annealing by the loss of the fit.
func TestAdditive(t *testing.T) {
	trial := func(m search.Method, loss string, mean float64) *Trial {
		return &Trial{Recipe: search.Recipe{Select: search.Selection{Method: m, Loss: loss}}, Mean: mean}
	}
	best := trial(search.Annealing, "", 2)
	list := []*Trial{trial(search.Lasso, "", 1), trial(search.Annealing, "", 3), best, trial(search.Annealing, "lorenz", 1)}
	g := &contest{Config: Config{Unit: 1}}
	for range 2 {
		if got := g.additive(list); got != best {
			t.Errorf("%+v", got)
		}
		slices.Reverse(list)
	}
	if got := g.additive([]*Trial{list[0], list[3]}); got != nil {
		t.Errorf("%+v", got)
	}
}

// Sizes above the number of variables are for interactions.
func TestBeyond(t *testing.T) {
	g := &contest{Config: Config{Plan: &plan.Plan{Size: 3}}}
	if g.beyond(4) || !g.bears(search.Recipe{}, 4) {
		t.Error("without interactions no size is beyond")
	}
	g.Plan.Interactions.Most = math.MaxInt32
	with := search.Recipe{Select: search.Selection{Interactions: g.Plan.Interactions}}
	for size, want := range map[int]bool{3: false, 4: true} {
		if g.beyond(size) != want || g.bears(search.Recipe{}, size) == want || !g.bears(with, size) {
			t.Errorf("size %d: beyond %v", size, g.beyond(size))
		}
	}
}

// paired lets a sample have interactions.
func paired(s *search.Sample, d *data.Dataset) {
	s.Data = d
	s.WithInteractions = func(ctx context.Context, pairs []data.PairTerm) (*search.Sample, error) {
		to := *s
		var err error
		if to.Design, err = d.Design(ctx, data.DesignOptions{Interactions: pairs}); err != nil {
			return nil, err
		}
		return &to, to.SetGroups(d, nil, nil)
	}
}
