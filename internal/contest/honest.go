package contest

import (
	"context"

	"fsa/internal/parallel"
	"fsa/internal/search"
	"fsa/validate"
)

// Honest returns the fit of each fold by the recipe and the size that the other folds choose among all trials of the contest.
// The held-out errors of the winner are too low, because they have chosen it. Those of the honest fits have not
// (cf. Tsamardinos et al. 2018). A fit is nil if it diverged.
func (v *Verdict) Honest(ctx context.Context) ([]*search.Fit, error) {
	g := v.contest
	fits := make([]*search.Fit, len(g.Folds))
	return fits, parallel.Do(ctx, g.Abreast, len(g.Folds), func(_, i int) error {
		others := g.without(i)
		size := v.Size
		if g.Plan.Open && !validate.IsCriterion(g.Plan.Rule) {
			var err error
			if size, err = others.choose(ctx); err != nil {
				return err
			}
		}
		var err error
		fits[i], err = g.Folds[i].fit(ctx, key{others.winner(size).Recipe, size})
		return err
	})
}

// without returns the contest with the errors of all folds but one, which is left out of each repeat.
func (g *contest) without(fold int) *contest {
	each := len(g.Folds) / g.Repeats
	others := newContest(g.Config)
	others.sizes = g.sizes
	for size, trials := range g.bySize {
		for _, t := range trials {
			of := &Trial{Recipe: t.Recipe, Size: size}
			for i, e := range t.Errors {
				if i%each != fold%each {
					of.Errors = append(of.Errors, e)
				}
			}
			for _, e := range of.Errors {
				of.Mean += e / float64(len(of.Errors))
			}
			others.bySize[size] = append(others.bySize[size], of)
		}
	}
	return others
}
