package search

import (
	"context"

	"fsa/internal/solve"
)

// Runner runs recipes on a sample. It keeps the selections and fits that recipes have in common, such
// as a descent through all sizes, so that each is computed once. A Runner must not be used by several
// goroutines at the same time.
type Runner struct {
	*Sample
	sizes  []int // sizes that a selection passes through
	paths  map[Selection]*path
	curved map[int]*Sample       // samples of shape functions, by number of bins
	rooted *Sample               // sample of square roots; nil until a selection needs it
	pairs  map[Selection]*Sample // samples with interactions
	// Only is the one size that will be fitted, so that only its columns are fetched; 0 means any size.
	Only int
}

// NewRunner returns a runner for a sample. Every selection passes through all the given sizes,
// whichever size [Runner.Run] returns, so that folds and the final fit select alike.
func NewRunner(s *Sample, sizes []int) *Runner {
	return &Runner{Sample: s, sizes: sizes, paths: map[Selection]*path{}, curved: map[int]*Sample{}, pairs: map[Selection]*Sample{}}
}

// Run selects groups by a recipe and returns the model that the recipe fits to them. The error is
// [anneal.ErrDiverged] if a descent diverges.
func (r *Runner) Run(ctx context.Context, recipe Recipe, size int) (*Fit, error) {
	switch {
	case size == 0:
		return r.null(ctx)
	case recipe.Direct:
		return r.direct(ctx, recipe, size)
	}
	p, err := r.path(ctx, recipe.Select)
	if err != nil {
		return nil, err
	}
	return p.learn(ctx, recipe, size)
}

// Close releases the columns of selections on a device.
func (r *Runner) Close() {
	for _, p := range r.paths {
		p.close()
	}
}

// direct runs a direct recipe, which keeps the coefficients of the descent.
func (r *Runner) direct(ctx context.Context, recipe Recipe, size int) (*Fit, error) {
	r.Meter.expect(&recipe)
	f, err := r.steps(ctx, recipe, recipe.Select.Ridge, size)
	if err == nil && recipe.Guard {
		f, err = r.guard(ctx, recipe, f)
	}
	return f, err
}

// steps runs a descent with a ridge, and then the improvements of a direct recipe.
func (s *Sample) steps(ctx context.Context, recipe Recipe, ridge float64, size int) (*Fit, error) {
	f, err := s.anneal(ctx, recipe.Select.Descent.round(ridge, size))
	if err == nil && recipe.Polish {
		f, err = s.polish(ctx, recipe.Select.Descent, f)
	}
	if err == nil && recipe.HessianSwaps {
		f, err = s.hessianSwaps(ctx, recipe.Select.Descent, f)
	}
	return f, err
}

// path returns the groups that a selection selects at each size. It runs each selection once.
func (r *Runner) path(ctx context.Context, by Selection) (*path, error) {
	if p := r.paths[by]; p != nil {
		return p, p.err
	}
	s, err := r.Form(ctx, by)
	if err != nil {
		return nil, err
	}
	s = s.WithPooling(by.Pooling)
	p := &path{Sample: s, selecting: s.selecting(by), by: by, only: r.Only, sets: map[int][]int{}, improved: map[improvedKey]*learnable{}, last: map[improvedKey]*solve.Solution{}}
	least, most := bounds(r.sizes, s.Groups.Count())
	most = max(most, by.Most)
	if s.Spending != nil {
		least, most = s.counts(bounds(r.sizes, len(s.Spending.Budgets)))
	}
	if most > 0 {
		if p.err = selectors[by.Method](ctx, p, least, most); p.err == nil && len(p.upToSize(least)) == 0 && p.below == 0 { // the record is damaged or of another fit
			p.err = foreign(by.task())
		}
	}
	r.paths[by] = p
	return p, p.err
}

// bounds returns the smallest and the largest of the sizes that are not 0.
func bounds(sizes []int, groups int) (least, most int) {
	for _, k := range sizes {
		if k = min(k, groups); k > 0 {
			most = max(most, k)
			if least == 0 || k < least {
				least = k
			}
		}
	}
	return least, most
}

// selectors are the functions that fill the sets of a path for the sizes from least to most. A new
// selection method needs a file and a line here.
var selectors = map[Method]func(ctx context.Context, p *path, least, most int) error{
	Annealing: annealing,
	Lasso:     lasso,
}
