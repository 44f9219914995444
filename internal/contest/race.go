package contest

import (
	"context"
	"math"

	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/validate"
)

// measure measures the Lipschitz constant of a form of the variables on all rows, with a margin,
// unless it is known, so that folds need not, and take the same steps.
func (g *contest) measure(ctx context.Context, r search.Recipe) error {
	first, by := g.Folds[0], r.Select
	if _, known := first.Known[by.Form()]; known || first.Known == nil || r.Direct || by.Method != search.Annealing || by.Descent.Batch < first.Rows() || by.Descent.Eta > 0 {
		return nil
	}
	l, err := g.Whole.Lipschitz(ctx, by)
	if err != nil {
		return err
	}
	l.Constant *= tuning.FoldLipschitz
	first.Known[by.Form()] = l // which all samples of the table share
	return nil
}

// behind reports whether a way to select is out of the race: on the held-out rows of the folds so
// far, learned with the ridge that is best there, it is worse than the leader by some standard
// errors. Then the other folds need not try it.
func (g *contest) behind(ctx context.Context, r search.Recipe, size int) (bool, error) {
	curved := r.Select.Bins > 0
	if curved && g.straight { // whatever their bins
		return true, nil
	}
	if err := g.measure(ctx, r); err != nil {
		return false, err
	}
	if g.Folds[0].Gain == nil || len(g.bySize[size]) == 0 {
		return false, nil
	}
	leader := key{g.winner(size).Recipe, size}
	for n := 1; n < len(g.Folds); n *= 2 { // after the last one there is nothing to save
		so := newContest(g.Config)
		so.Folds, so.Count, so.points = g.Folds[:n], nil, newPoints(nil, n, 1)
		best, err := so.overRidges(ctx, r, size)
		if err != nil {
			return false, err
		}
		r.Ridge = best.Recipe.Ridge
		gain, err := so.gain(ctx, key{r, size}, leader)
		if err != nil {
			return false, err
		}
		mean, se := gain.Mean()
		if gain.Rows >= tuning.FoldRows && mean < -tuning.BehindErrors*se || math.IsInf(best.Mean, 1) {
			g.straight = g.straight || curved
			return true, nil
		}
	}
	return false, nil
}

// gain returns by how much a recipe lowers the loss of held-out rows below that of another.
func (g *contest) gain(ctx context.Context, of, than key) (gain validate.Gain, err error) {
	for i := range g.Folds {
		var z [2][]float64
		for j, at := range []key{of, than} {
			fit, err := g.Folds[i].fit(ctx, at)
			if err != nil || fit == nil { // one that diverges says nothing of rows
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
