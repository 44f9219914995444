package contest

import (
	"context"
	"math"
	"slices"

	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/validate"
)

// measure measures the Lipschitz constant of a form on all rows, unless it is known. Folds then do not measure it, and all
// use the same step size. The constant of a fold is at most that of all rows times their number over that of its training
// rows: 1.25 times with five folds. With the usual momentum of 0.9, steps of up to 1.36/L are stable (see [anneal.Power]).
func (g *contest) measure(ctx context.Context, r search.Recipe) error {
	first, by := g.Folds[0], r.Select
	if _, known := first.Known[by.Form()]; known || first.Known == nil || r.Direct || by.Method != search.Annealing || by.Interactions.Most > 0 || by.Descent.Batch < first.Rows() || by.Descent.Eta > 0 {
		return nil
	}
	l, err := g.Whole.Lipschitz(ctx, by)
	if err != nil {
		return err
	}
	first.Known[by.Form()] = l // this map is shared by all samples of the table
	return nil
}

// behind reports whether a selection can be given up after some of the folds, because it is worse than the leader by
// some standard errors on their held-out rows. It is compared with the ridge that is best on these folds.
func (g *contest) behind(ctx context.Context, r search.Recipe, size int) (bool, error) {
	curved := r.Select.Bins > 0
	if curved {
		if err := g.bends(ctx, size); err != nil || g.straight { // for any number of bins
			return true, err
		}
	}
	if err := g.measure(ctx, r); err != nil {
		return false, err
	}
	if g.Folds[0].Gain == nil || len(g.bySize[size]) == 0 {
		return false, nil
	}
	leader := key{g.winner(size).Recipe, size}
	if alike, err := g.alike(ctx, key{r, size}, leader); alike || err != nil {
		return alike, err
	}
	loses, err := g.loses(ctx, r, size, leader)
	g.straight = g.straight || loses && curved
	return loses, err
}

// bends takes shape functions out of the race if the training rows of the first fold show no bends at a size: those that the
// leader there leaves over. It is tested once, before a table is divided into bins.
func (g *contest) bends(ctx context.Context, size int) error {
	if g.tested || len(g.bySize[size]) == 0 {
		return nil
	}
	g.tested = true
	fit, err := g.Folds[0].fit(ctx, key{g.winner(size).Recipe, size})
	if err != nil || fit == nil {
		return err
	}
	found, err := fit.Bends(ctx)
	g.straight = !found
	return err
}

// loses reports whether a recipe at a size is given up against another trial, on more and more folds.
func (g *contest) loses(ctx context.Context, r search.Recipe, size int, leader key) (bool, error) {
	if g.Folds[0].Gain == nil {
		return false, nil
	}
	for n := 1; n < len(g.Folds); n *= 2 { // after the last fold nothing can be saved
		so := newContest(g.Config)
		so.Folds, so.points = g.Folds[:n], newPoints(nil, n, 1)
		best, err := so.overRidges(ctx, r, size)
		if err != nil {
			return false, err
		}
		r.Ridge = best.Recipe.Ridge
		gain, err := so.gain(ctx, key{r, size}, leader)
		if err != nil {
			return false, err
		}
		if worse(gain) || math.IsInf(best.Mean, 1) {
			return true, nil
		}
	}
	return false, nil
}

// alike reports whether a selection chooses the variables of the leader on the first fold, if the size is given. The models
// of that fold are then the same, and there is no sign that those of other folds would be better. If the size is open, two
// selections may differ at other sizes.
func (g *contest) alike(ctx context.Context, of, leader key) (bool, error) {
	a, b := of.Select, leader.Select
	if g.Plan.Open || a.Bins != b.Bins || a.Roots != b.Roots || a.Pooling != b.Pooling || a.Interactions != b.Interactions {
		return false, nil
	}
	var groups [2][]int
	for i, at := range []key{of, leader} {
		fit, err := g.Folds[0].fit(ctx, at)
		if err != nil || fit == nil {
			return false, err
		}
		groups[i] = fit.Groups
	}
	return slices.Equal(groups[0], groups[1]), nil
}

// worse reports whether the loss on held-out rows is so much higher than that of the leader that a selection is given up.
func worse(gain validate.Gain) bool {
	mean, se := gain.Mean()
	return gain.Rows >= tuning.RaceRows && mean < -tuning.BehindErrors*se
}

// gain returns the decrease of the loss of held-out rows from the recipe than to the recipe of.
func (g *contest) gain(ctx context.Context, of, than key) (gain validate.Gain, err error) {
	for i := range g.Folds {
		var z [2][]float64
		for j, at := range []key{of, than} {
			fit, err := g.Folds[i].fit(ctx, at)
			if err != nil || fit == nil { // a recipe that diverges has no margins
				return gain, err
			}
			if z[j], err = fit.MarginsOf(ctx, g.Folds[i].Test); err != nil {
				return gain, err
			}
		}
		gain.Join(g.Folds[i].Gain(z[0], z[1]))
	}
	return gain, nil
}
