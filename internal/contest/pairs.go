package contest

import (
	"context"
	"slices"

	"fsa/internal/search"
)

// pairs returns the best recipe so far with interactions, if they are promising: the training rows of the first fold have
// significant ones, and the race does not give them up. It also adds sizes above the number of variables. Otherwise it
// returns nil.
func (g *contest) pairs(ctx context.Context, recipes []*Trial) (*Trial, error) {
	all := g.sizes
	g.sizes = slices.DeleteFunc(slices.Clone(all), g.beyond)
	best := g.additive(recipes)
	if g.Plan.Interactions.Most == 0 || best == nil {
		return nil, nil
	}
	g.steps.enter(Interactions, 1, len(g.Folds), "interactions")
	r := best.Recipe
	r.Select.Interactions = g.Plan.Interactions
	form, err := g.Folds[0].Form(ctx, r.Select)
	if err != nil {
		return nil, err
	}
	if _, found := form.Design.Products(); found == 0 {
		return nil, nil
	}
	sizes := slices.DeleteFunc(slices.Clone(all), func(k int) bool { return !g.bears(r, k) })
	if len(sizes) == 0 {
		return nil, nil
	}
	size := slices.Max(sizes)
	behind, err := g.loses(ctx, r, size, key{best.Recipe, min(size, g.Plan.Size)})
	if err != nil || behind {
		return nil, err
	}
	if g.beyond(size) {
		g.sizes = sizes
	}
	return g.overRidges(ctx, r, size)
}

// additive returns the best recipe to which interactions can be added.
func (g *contest) additive(recipes []*Trial) (best *Trial) {
	for _, t := range recipes {
		if s := t.Recipe.Select; s.Method == search.Annealing && s.Loss == "" && (best == nil || g.lower(t, best)) {
			best = t
		}
	}
	return best
}
