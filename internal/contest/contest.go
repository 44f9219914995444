// Package contest lets recipes compete at several sizes on folds of cross-validation. All
// comparisons go by one rule; see [validate.Simplest].
package contest

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"fsa/anneal"
	"fsa/internal/parallel"
	"fsa/internal/plan"
	"fsa/internal/search"
	"fsa/internal/tuning"
	"fsa/validate"
)

// Fold is a sample, and how good a fit of it is on the held-out rows.
type Fold struct {
	*search.Runner
	// Test are the held-out rows.
	Test []int
	// Error returns the loss or measure of the margins of the held-out rows, less being better.
	Error func(z []float64) float64
	// Gain says by how much margins of the held-out rows lower their loss below that of others. It is
	// nil where rows are not independent.
	Gain func(z, than []float64) validate.Gain
	// Caution is added to the error where candidates are compared; nil adds nothing.
	Caution func(z []float64) float64

	errors map[key]score // that are known
}

// score is the error of a candidate on the held-out rows of a fold: the error that is reported, and the
// error by which candidates are compared, which includes [Fold.Caution].
type score struct{ error, compared float64 }

// fit runs a recipe at a size; nil if it diverges.
func (f *Fold) fit(ctx context.Context, at key) (*search.Fit, error) {
	fit, err := f.Run(ctx, at.Recipe, at.size)
	if errors.Is(err, anneal.ErrDiverged) {
		return nil, nil
	}
	return fit, err
}

// error returns the error of a recipe at a size, which is infinite if it diverges.
func (f *Fold) error(ctx context.Context, at key) (score, error) {
	if e, known := f.errors[at]; known {
		return e, nil
	}
	e := score{math.Inf(1), math.Inf(1)}
	fit, err := f.fit(ctx, at)
	if err != nil {
		return e, err
	}
	if fit != nil {
		z, err := fit.MarginsOf(ctx, f.Test)
		if err != nil {
			return e, err
		}
		e.error = f.Error(z)
		if e.compared = e.error; f.Caution != nil {
			e.compared += f.Caution(z)
		}
	}
	if f.errors == nil {
		f.errors = map[key]score{}
	}
	f.errors[at] = e
	return e, nil
}

// Config is what a contest is about.
type Config struct {
	Plan    *plan.Plan
	Folds   []Fold // repeat after repeat
	Repeats int
	Abreast int            // folds that are worked on side by side
	Unit    float64        // of the loss; see [search.Sample.LossUnit]
	Whole   *search.Runner // all rows, for information criteria
	// Count is told how many of the selections are done, and Point of the curve of error against
	// size while it is filled; nil for nobody.
	Count func(done, total int)
	Point func(Point)
}

// Trial is what a recipe is worth at a size.
type Trial struct {
	Recipe search.Recipe
	Size   int
	Errors []float64 // of the folds, by which it is compared
	Mean   float64   // of these
	// Reported is the error of each fold, and Error its mean, without [Fold.Caution].
	Reported []float64
	Error    float64
}

// Verdict is how a contest ended.
type Verdict struct {
	*Trial // the winner
	// Fits are those of the winner in each fold; nil where its descent diverged.
	Fits []*search.Fit
	// Null is the null model, and NullFits its fits.
	Null     *Trial
	NullFits []*search.Fit
	// Curve is the error of the best recipe at every size, and Best the place of its lowest
	// point.
	Curve *validate.Curve
	Best  int
	// Trials are the best of each recipe at the size of the winner, as the rule orders them.
	Trials []*Trial
}

// contest is one that goes on.
type contest struct {
	Config
	sizes  []int
	trials map[key]*Trial
	bySize map[int][]*Trial
	points *points

	straight    bool                      // curves are behind
	selected    map[search.Selection]bool // that were run
	done, total int                       // selections in folds
}

// key is what the errors of a trial depend on.
type key struct {
	search.Recipe
	size int
}

// Run lets the recipes of a plan compete.
func Run(ctx context.Context, c Config) (*Verdict, error) {
	g := newContest(c)
	g.points = newPoints(c.Point, len(c.Folds), c.Repeats)
	g.total = len(c.Plan.Selections) * len(c.Folds)
	null, err := g.try(ctx, c.Plan.Recipe, 0)
	if err != nil {
		return nil, err
	}
	ways, err := g.ways(ctx)
	if err != nil {
		return nil, err
	}
	var best *Trial
	if c.Plan.Open {
		best, err = g.openSize(ctx, ways)
	} else {
		best, err = g.improve(ctx, ways, c.Plan.Size)
	}
	if err != nil {
		return nil, err
	}
	return g.verdict(ctx, best, null)
}

func newContest(c Config) *contest {
	return &contest{Config: c, sizes: c.Plan.Sizes, trials: map[key]*Trial{}, bySize: map[int][]*Trial{}, selected: map[search.Selection]bool{}}
}

// ways returns the best recipe of each selection at the sizes at which ridges are compared, but
// for those that are behind at the middle one.
func (g *contest) ways(ctx context.Context) ([]*Trial, error) {
	sizes := g.sizes
	if n := len(sizes); n > 4 {
		sizes = []int{sizes[n/4], sizes[n/2], sizes[3*n/4]}
	}
	if len(sizes) > 1 && sizes[0] == 0 {
		sizes = sizes[1:] // the null model has no recipe
	}
	from := g.Plan.Ridges[len(g.Plan.Ridges)/2]
	var list []*Trial
	for _, s := range g.Plan.Selections {
		r := g.Plan.Recipe
		r.Select, r.Polish, r.Ridge = s, r.Polish && r.Direct, from
		behind, err := g.behind(ctx, r, sizes[len(sizes)/2])
		if err != nil {
			return nil, err
		}
		if behind {
			g.total -= len(g.Folds)
			continue
		}
		var best *Trial
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
		from = best.Recipe.Ridge
		list = append(list, best)
	}
	return list, nil
}

// overRidges returns the best of a recipe over the ridges of learning. The error of a
// selection has one valley over the ridge: it is walked up and down from the ridge of the
// recipe while the error falls.
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
				break // the ends of curves have few rows
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

// improve returns the winner at a size, after all that may improve a selection was tried with
// the best of the given ways.
func (g *contest) improve(ctx context.Context, ways []*Trial, size int) (*Trial, error) {
	if size == 0 {
		return g.winner(0), nil
	}
	for _, w := range ways {
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
	for _, from := range g.byLoss(best) {
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

// bears reports whether there are enough rows for the curves of a recipe at a size.
func (g *contest) bears(r search.Recipe, size int) bool {
	return r.Select.Bins == 0 || g.Folds[0].Effective >= tuning.RowsPerVariable*size*(r.Select.Bins+1)
}

// byLoss returns the best trial, and the best of each other loss by which variables were selected
// in the same form at its size: swaps lower the loss of the selection, and may end elsewhere.
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

// swaps returns the swaps that are tried at a size. Detours are for sizes with many rows for a
// coefficient, where the least loss is likely the best model.
func (g *contest) swaps(r search.Recipe, size int) []search.Swaps {
	if !g.Plan.Swaps {
		return nil
	}
	return []search.Swaps{{Ridge: g.Plan.SwapRidge, Gain: tuning.SwapGain, Detours: g.Folds[0].Single && r.Select.Bins == 0 && g.Folds[0].Many(1+size)}}
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
		if tell(e.error); first && g.Count != nil {
			g.done++
			g.Count(g.done, max(g.total, g.done))
		}
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

// runners returns those of the folds.
func (g *contest) runners() []*search.Runner {
	list := make([]*search.Runner, len(g.Folds))
	for i := range g.Folds {
		list[i] = g.Folds[i].Runner
	}
	return list
}

// fits runs the recipe of a trial on all folds; a fit is nil where it diverged.
func (g *contest) fits(ctx context.Context, t *Trial) ([]*search.Fit, error) {
	fits := make([]*search.Fit, len(g.Folds))
	return fits, parallel.Do(ctx, g.Abreast, len(g.Folds), func(_, i int) (err error) {
		fits[i], err = g.Folds[i].fit(ctx, key{t.Recipe, t.Size})
		return err
	})
}

// verdict gathers what is known of the winner.
func (g *contest) verdict(ctx context.Context, best, null *Trial) (v *Verdict, err error) {
	v = &Verdict{Trial: best, Null: null, Trials: g.ordered(best.Size)}
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
