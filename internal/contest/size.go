package contest

import (
	"context"
	"slices"

	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/validate"
)

// curve returns the errors of the winner at every size.
func (g *contest) curve(errorsOf func(*Trial) []float64) *validate.Curve {
	errors := make([][]float64, len(g.sizes))
	for i, size := range g.sizes {
		errors[i] = errorsOf(g.winner(size))
	}
	return validate.NewCurve(g.sizes, errors, nil, g.Repeats)
}

// openSize chooses the size, first among the sizes of the plan and then among those between, and tries improvements there
// and at smaller sizes.
func (g *contest) openSize(ctx context.Context, recipes []*Trial) (*Trial, error) {
	for {
		if err := g.upwards(ctx, recipes); err != nil {
			return nil, err
		}
		if t, err := g.further(ctx); t != nil || err != nil {
			if err != nil {
				return nil, err
			}
			recipes = append(recipes, t)
			continue
		}
		size, err := g.choose(ctx)
		if err != nil {
			return nil, err
		}
		more := between(g.sizes, size)
		if len(more) > 0 && g.Plan.Refine {
			g.sizes = append(slices.Clone(g.sizes), more...)
			slices.Sort(g.sizes)
			continue
		}
		best, err := g.improve(ctx, recipes, size)
		if err != nil || !g.Plan.Swaps || best.Recipe.Select.Interactions.Most > 0 || validate.IsCriterion(g.Plan.Rule) {
			return best, err
		}
		return g.smaller(ctx, best)
	}
}

// further returns the best recipe at the largest size, with larger ones, if too few sizes have been no better than the best one
// to stop there; nil if there have been enough, or if that has been done. It adds these sizes.
func (g *contest) further(ctx context.Context) (*Trial, error) {
	more, last := g.Plan.Further, g.sizes[len(g.sizes)-1]
	if len(more) == 0 || last != g.Plan.Size {
		return nil, nil
	}
	var best *Trial
	for _, t := range g.bySize[last] {
		if t.Recipe.Select.Interactions.Most == 0 && (best == nil || g.lower(t, best)) {
			best = t
		}
	}
	lowest := 0
	for i, size := range g.sizes {
		if g.winner(size).Mean < g.winner(g.sizes[lowest]).Mean {
			lowest = i
		}
	}
	if best == nil || lowest < len(g.sizes)-tuning.SizeTries {
		return nil, nil
	}
	r := best.Recipe
	r.Select.Most = more[len(more)-1]
	g.sizes = append(slices.Clone(g.sizes), more...)
	return g.overRidges(ctx, r, more[0])
}

// cheaper tries the recipe of the winner, without swaps, with the smaller budgets of the plan, for the curve of error
// against money.
func (g *contest) cheaper(ctx context.Context, best *Trial) error {
	r := best.Recipe
	r.Swaps = search.Swaps{}
	for _, size := range g.Plan.Sizes {
		if size == best.Size {
			continue
		}
		if _, err := g.try(ctx, r, size); err != nil {
			return err
		}
	}
	g.sizes = g.Plan.Sizes
	return nil
}

// upwards tries the recipes at sizes in ascending order. It stops if the last few sizes were no better and no larger size
// is known to be better. If the caller gave the sizes, it tries all of them.
func (g *contest) upwards(ctx context.Context, recipes []*Trial) error {
	var best *Trial
	worse := 0
	g.steps.again(Sizes, 0.7, len(recipes)*g.untried()*len(g.Folds), "")
	for i, size := range g.sizes {
		for _, w := range recipes {
			if !g.bears(w.Recipe, size) {
				continue
			}
			if _, err := g.try(ctx, w.Recipe, size); err != nil {
				return err
			}
		}
		if t := g.winner(size); best == nil || t.Mean < best.Mean {
			best, worse = t, 0
		} else {
			worse++
		}
		if worse >= tuning.SizeTries && g.Plan.Refine && !g.lowerAbove(best) {
			g.sizes = g.sizes[:i+1]
			break
		}
	}
	return nil
}

// untried returns the number of sizes of the curve that were not tried yet.
func (g *contest) untried() (n int) {
	for _, size := range g.sizes {
		if g.bySize[size] == nil {
			n++
		}
	}
	return n
}

// lowerAbove reports whether a larger size is known to be better than a trial.
func (g *contest) lowerAbove(t *Trial) bool {
	for size, list := range g.bySize {
		if size > t.Size && slices.ContainsFunc(list, func(of *Trial) bool { return of.Mean < t.Mean }) {
			return true
		}
	}
	return false
}

// smaller tries sizes below the best one with swaps. A variable that a descent drops too early is selected only at larger
// sizes of its path, so the curve without swaps may lead to a size that is too large.
func (g *contest) smaller(ctx context.Context, best *Trial) (*Trial, error) {
	r := best.Recipe
	tries := tuning.SizeTries
	for size, found := g.below(best.Size); found && tries > 0; size, found = g.below(size) {
		g.steps.again(Smaller, 1/float64(1+tuning.SizeTries), triedRidges*len(g.Folds), "")
		for _, s := range g.swaps(r, size) {
			r.Swaps = s
			if _, err := g.overRidges(ctx, r, size); err != nil {
				return nil, err
			}
		}
		if at, found := slices.BinarySearch(g.sizes, size); !found {
			g.sizes = slices.Insert(slices.Clone(g.sizes), at, size)
		}
		chosen, err := g.choose(ctx)
		if err != nil {
			return nil, err
		}
		if tries--; chosen == size {
			tries = tuning.SizeTries
		}
	}
	size, err := g.choose(ctx)
	if err != nil {
		return nil, err
	}
	return g.winner(size), nil
}

// below returns the next smaller size to try: a tenth less (at least 1), but no less than the previous size of the list. If
// the caller gave the sizes, it returns the previous one.
func (g *contest) below(size int) (int, bool) {
	at, _ := slices.BinarySearch(g.sizes, size)
	if at == 0 {
		return 0, false
	}
	if next := size - max(1, size/10); g.Plan.Refine {
		return max(next, g.sizes[at-1]), true
	}
	return g.sizes[at-1], true
}

// choose returns the size that the rule of the plan chooses.
func (g *contest) choose(ctx context.Context) (int, error) {
	curve := g.curve(func(t *Trial) []float64 { return t.Errors })
	if validate.IsCriterion(g.Plan.Rule) {
		if err := g.likelihoods(ctx, curve); err != nil {
			return 0, err
		}
	}
	for _, list := range g.bySize {
		curve.Trials += len(list)
	}
	curve.Nats = g.Nats * float64(len(curve.Points[0].Errors)) / float64(len(g.Folds)) // [Verdict.Honest] leaves a fold out
	at, err := curve.Choose(g.Plan.Rule)
	if err != nil {
		return 0, err
	}
	return g.sizes[at], nil
}

// likelihoods sets the likelihood and degrees of freedom of the winner of each size, for information criteria.
func (g *contest) likelihoods(ctx context.Context, curve *validate.Curve) error {
	for i := range curve.Points {
		if err := setLikelihood(ctx, g.Whole, curve, i, g.winner(curve.Points[i].Size).Recipe); err != nil {
			return err
		}
	}
	return nil
}
