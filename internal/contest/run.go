package contest

import (
	"context"

	"fsa/internal/search"
)

// Run compares the recipes of a plan.
func Run(ctx context.Context, c Config) (*Verdict, error) {
	c.steps = &steps{tell: c.Step, ran: map[search.Selection]int{}}
	g := newContest(c)
	g.points = newPoints(c.Point, len(c.Folds), c.Repeats)
	null, err := g.try(ctx, c.Plan.Recipe, 0)
	if err != nil {
		return nil, err
	}
	if !c.Plan.Open {
		g.sizes = []int{c.Plan.Size}
	}
	recipes, err := g.recipes(ctx)
	if err != nil {
		return nil, err
	}
	var best *Trial
	if c.Plan.Open {
		if best, err = g.pairs(ctx, recipes); err != nil {
			return nil, err
		}
		if best != nil {
			recipes = append(recipes, best)
		}
		best, err = g.openSize(ctx, recipes)
	} else {
		best, err = g.improve(ctx, recipes, c.Plan.Size)
		if err == nil {
			err = g.cheaper(ctx, best)
		}
	}
	if err != nil {
		return nil, err
	}
	return g.verdict(ctx, best, null)
}
