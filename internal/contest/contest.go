// Package contest compares recipes at several sizes by cross-validation. All comparisons use one rule; see
// [validate.Simplest].
package contest

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"fsa/internal/parallel"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/validate"
)

// Config describes a contest.
type Config struct {
	Plan    *plan.Plan
	Folds   []Fold // folds, repeat after repeat
	Repeats int
	Abreast int            // number of folds that run in parallel
	Unit    float64        // unit of the loss; see [search.Sample.LossUnit]
	Whole   *search.Runner // all rows, for information criteria
	// Nats is the log likelihood of all rows for each unit of the error, if the null model is to be tested by it; 0 tests the
	// errors of the folds.
	Nats float64
	// Step is called with every step, by one thread at a time, and Point with every new point of the curve of error against
	// size. Either may be nil.
	Step  func(Step)
	Point func(Point)
	steps *steps
}

// Trial is the cross-validated error of a recipe at a size.
type Trial struct {
	Recipe search.Recipe
	Size   int
	Errors []float64 // error of each fold, by which trials are compared
	Mean   float64   // mean of Errors
	// Reported is the error of each fold, and Error its mean, without [Fold.Caution].
	Reported []float64
	Error    float64
}

// Verdict is the result of a contest.
type Verdict struct {
	*Trial // the winner
	// Fits holds the fit of the winner in each fold; nil if its descent diverged there.
	Fits []*search.Fit
	// Null is the null model, and NullFits its fits.
	Null     *Trial
	NullFits []*search.Fit
	// Curve is the error of the best recipe at every size, and Best the index of its lowest point.
	Curve *validate.Curve
	Best  int
	// Trials holds the best trial of each complexity at the size of the winner, the simplest first.
	Trials []*Trial

	contest *contest
}

// contest is the state of a contest.
type contest struct {
	Config
	sizes  []int
	trials map[key]*Trial
	bySize map[int][]*Trial
	points *points

	tested   bool                      // the leader was tested for bends
	straight bool                      // shape functions are out of the race
	selected map[search.Selection]bool // selections that were run
}

func newContest(c Config) *contest {
	return &contest{Config: c, sizes: c.Plan.Sizes, trials: map[key]*Trial{}, bySize: map[int][]*Trial{}, selected: map[search.Selection]bool{}}
}

// recipes returns the best recipe of each selection, at the sizes at which ridges are compared. It leaves out selections that
// are behind at the middle size.
func (g *contest) recipes(ctx context.Context) ([]*Trial, error) {
	sizes := slices.DeleteFunc(slices.Clone(g.sizes), g.beyond)
	if n := len(sizes); n > 4 {
		sizes = []int{sizes[n/4], sizes[n/2], sizes[3*n/4]}
	}
	if len(sizes) > 1 && sizes[0] == 0 {
		sizes = sizes[1:] // the null model has no recipe
	}
	from := g.Plan.Ridges[len(g.Plan.Ridges)/2]
	var list []*Trial
	to := shares(g.Plan.Selections)
	for i, s := range g.Plan.Selections {
		g.steps.enter(Recipes, to[i], len(g.Folds), selecting(s))
		r := g.Plan.Recipe
		r.Select, r.Polish, r.Ridge = s, r.Polish && r.Direct, from
		best, err := g.recipe(ctx, r, sizes)
		if err != nil {
			return nil, err
		}
		if best != nil {
			from = best.Recipe.Ridge
			list = append(list, best)
		}
	}
	if g.Plan.Roots {
		r := slices.MinFunc(list, func(a, b *Trial) int { return cmp.Compare(a.Mean, b.Mean) }).Recipe
		r.Select.Roots = true
		rooted, err := g.recipe(ctx, r, sizes)
		if err != nil {
			return nil, err
		}
		if rooted != nil {
			list = append(list, rooted)
		}
	}
	return list, nil
}

// recipe returns the best trial of a recipe over sizes and ridges; nil if it is behind at the middle size.
func (g *contest) recipe(ctx context.Context, r search.Recipe, sizes []int) (best *Trial, err error) {
	if behind, err := g.behind(ctx, r, sizes[len(sizes)/2]); behind || err != nil {
		return nil, err
	}
	for _, size := range sizes {
		if best != nil && !g.bears(r, size) {
			break
		}
		t, err := g.overRidges(ctx, r, size)
		if err != nil {
			return nil, err
		}
		if best == nil || g.lower(t, best) {
			best = t
		}
		r.Ridge = best.Recipe.Ridge
	}
	return best, nil
}

// overRidges returns the best trial of a recipe over the ridges of the final fit. It assumes that the error has one minimum
// as a function of the ridge: starting from the ridge of the recipe, it tries larger and then smaller ridges as long as
// the error falls.
func (g *contest) overRidges(ctx context.Context, r search.Recipe, size int) (*Trial, error) {
	ridges := g.Plan.Ridges
	start := slices.Index(ridges, r.Ridge)
	best, err := g.try(ctx, r, size)
	if err != nil {
		return nil, err
	}
	for _, by := range []int{1, -1} {
		last := best
		for i := start + by; i >= 0 && i < len(ridges); i += by {
			if r.Ridge = ridges[i]; r.Select.Bins > 0 && r.Ridge < tuning.LearnRidges[0] {
				break // the end bins of curves have few rows and need a ridge
			}
			t, err := g.try(ctx, r, size)
			if err != nil {
				return nil, err
			}
			if !g.lower(t, last) {
				break
			}
			last = t
		}
		if g.lower(last, best) {
			best = last
		}
	}
	return best, nil
}

// improve tries the improvements of the plan at a size, with the best of the given recipes, and returns the winner.
func (g *contest) improve(ctx context.Context, recipes []*Trial, size int) (*Trial, error) {
	if size == 0 {
		return g.winner(0), nil
	}
	g.steps.enter(Improvements, 1, triedRidges*len(recipes)*len(g.Folds), "")
	for _, w := range recipes {
		if !g.bears(w.Recipe, size) {
			continue
		}
		if _, err := g.overRidges(ctx, w.Recipe, size); err != nil {
			return nil, err
		}
	}
	best := g.winner(size)
	for _, share := range g.Plan.Poolings {
		r := best.Recipe
		r.Select.Pooling = share
		t, err := g.overRidges(ctx, r, size)
		if err != nil {
			return nil, err
		}
		if !g.lower(t, best) {
			break
		}
		best = t
	}
	polish := []bool{false}
	if g.Plan.Recipe.Polish && !best.Recipe.Direct {
		polish = append(polish, true)
	}
	from := g.byLoss(best)
	g.steps.enter(Swaps, 1, triedRidges*len(from)*len(g.Folds), "")
	for _, from := range from {
		for _, swaps := range append([]search.Swaps{{}}, g.swaps(from.Recipe, size)...) {
			for _, polish := range polish {
				r := from.Recipe
				r.Swaps, r.Polish = swaps, polish || r.Polish
				if _, err := g.overRidges(ctx, r, size); err != nil {
					return nil, err
				}
			}
		}
	}
	if best = g.winner(size); g.Plan.Adaptive && best.Recipe.Select.Bins == 0 {
		r := best.Recipe
		r.Adaptive = true
		if _, err := g.overRidges(ctx, r, size); err != nil {
			return nil, err
		}
	}
	return g.winner(size), nil
}

// beyond reports whether a size is only for interactions, because there are fewer variables, or for a selection that goes on
// where the error still falls.
func (g *contest) beyond(size int) bool {
	return (g.Plan.Interactions.Most > 0 || len(g.Plan.Further) > 0) && size > g.Plan.Size
}

// bears reports whether a recipe has enough variables for a size, and enough rows for its curves.
func (g *contest) bears(r search.Recipe, size int) bool {
	if r.Select.Interactions.Most == 0 && g.beyond(size) != (r.Select.Most > 0) {
		return false
	}
	return r.Select.Bins == 0 || g.Folds[0].MostCurves(r.Select.Bins) >= g.Plan.Terms(size)
}

// byLoss returns the best trial, and for each other selection loss the best trial with the same bins at its size. Swaps
// lower the loss of the selection, so they may lead to another result.
func (g *contest) byLoss(best *Trial) []*Trial {
	list := []*Trial{best}
	for _, t := range g.bySize[best.Size] {
		if t.Recipe.Select.Bins != best.Recipe.Select.Bins {
			continue
		}
		at := slices.IndexFunc(list, func(of *Trial) bool { return of.Recipe.Select.Loss == t.Recipe.Select.Loss })
		switch {
		case at < 0:
			list = append(list, t)
		case at > 0 && g.lower(t, list[at]):
			list[at] = t
		}
	}
	return list
}

// swaps returns the swaps to try at a size. Detours are tried only with many rows per coefficient, where the lowest
// training loss is likely the best model.
func (g *contest) swaps(r search.Recipe, size int) []search.Swaps {
	if !g.Plan.Swaps || r.Select.Interactions.Most > 0 { // a pair needs its variables
		return nil
	}
	return []search.Swaps{{Ridge: g.Plan.SwapRidge, Gain: tuning.SwapGain, Detours: g.Folds[0].Single && g.Folds[0].Limits == nil && r.Select.Bins == 0 && g.Folds[0].Many(1+g.Plan.Terms(size))}}
}

// try runs a recipe at a size on all folds.
func (g *contest) try(ctx context.Context, r search.Recipe, size int) (*Trial, error) {
	if size == 0 {
		r = search.Recipe{}
	}
	at := key{r, size}
	if t := g.trials[at]; t != nil {
		return t, nil
	}
	t := &Trial{Recipe: r, Size: size, Errors: make([]float64, len(g.Folds)), Reported: make([]float64, len(g.Folds))}
	tell, told := g.points.begin(size), sync.Mutex{}
	first := size > 0 && !g.selected[r.Select]
	if first && !r.Direct {
		if err := search.Together(ctx, g.runners(), r.Select, g.Abreast); err != nil {
			return nil, err
		}
	}
	if err := parallel.Do(ctx, g.Abreast, len(g.Folds), func(_, i int) error {
		e, err := g.Folds[i].error(ctx, at)
		if err != nil {
			return err
		}
		t.Errors[i], t.Reported[i] = e.compared, e.error
		told.Lock()
		defer told.Unlock()
		tell(e.error)
		g.steps.did(at, i, len(g.Folds))
		return nil
	}); err != nil {
		return nil, err
	}
	for i, e := range t.Errors {
		t.Mean += e / float64(len(t.Errors))
		t.Error += t.Reported[i] / float64(len(t.Errors))
	}
	g.trials[at], g.selected[r.Select] = t, true
	g.bySize[size] = append(g.bySize[size], t)
	return t, nil
}

// runners returns the runners of the folds.
func (g *contest) runners() []*search.Runner {
	list := make([]*search.Runner, len(g.Folds))
	for i := range g.Folds {
		list[i] = g.Folds[i].Runner
	}
	return list
}

// fits runs the recipe of a trial on all folds; a fit is nil if it diverged.
func (g *contest) fits(ctx context.Context, t *Trial) ([]*search.Fit, error) {
	fits := make([]*search.Fit, len(g.Folds))
	return fits, parallel.Do(ctx, g.Abreast, len(g.Folds), func(_, i int) (err error) {
		fits[i], err = g.Folds[i].fit(ctx, key{t.Recipe, t.Size})
		return err
	})
}

// verdict collects the results of the winner.
func (g *contest) verdict(ctx context.Context, best, null *Trial) (v *Verdict, err error) {
	v = &Verdict{contest: g, Trial: best, Null: null, Trials: g.ordered(best.Size)}
	if v.Fits, err = g.fits(ctx, best); err != nil {
		return nil, err
	}
	if v.NullFits, err = g.fits(ctx, null); err != nil {
		return nil, err
	}
	v.Curve = g.curve(func(t *Trial) []float64 { return t.Reported })
	v.Best, err = v.Curve.Choose("min")
	return v, err
}
