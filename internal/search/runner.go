package search

import (
	"context"
	"fmt"
	"slices"

	"fsa/anneal"
	"fsa/internal/solve"
)

// Runner runs recipes on a sample. What recipes have in common, such as a descent through
// all sizes, is done once. It is not for several goroutines at a time.
type Runner struct {
	*Sample
	sizes  []int // that a selection passes through
	paths  map[Selection]*path
	curved map[int]*Sample // by bins
	// Only is the one size that is learned, so that no other columns are fetched; 0 means any.
	Only int
}

// NewRunner returns a runner. A selection passes through all the sizes, whichever of them
// [Runner.Run] is asked for, so that folds and the fit select alike.
func NewRunner(s *Sample, sizes []int) *Runner {
	return &Runner{Sample: s, sizes: sizes, paths: map[Selection]*path{}, curved: map[int]*Sample{}}
}

// Run selects some groups as a recipe says and learns a model on them. A descent that
// diverges is an [anneal.ErrDiverged].
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

// Close gives back what the columns of selections take on a device.
func (r *Runner) Close() {
	for _, p := range r.paths {
		p.close()
	}
}

// direct runs a recipe whose coefficients are those of the descent.
func (r *Runner) direct(ctx context.Context, recipe Recipe, size int) (*Fit, error) {
	r.Meter.expect(&recipe)
	f, err := r.steps(ctx, recipe, recipe.Select.Ridge, size)
	if err == nil && recipe.Guard {
		f, err = r.guard(ctx, recipe, f)
	}
	return f, err
}

// steps descends with a ridge, and improves what was selected.
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

// path returns what a selection has selected at all sizes.
func (r *Runner) path(ctx context.Context, by Selection) (*path, error) {
	if p := r.paths[by]; p != nil {
		return p, p.err
	}
	s, err := r.form(ctx, by.Bins)
	if err != nil {
		return nil, err
	}
	s = s.WithPooling(by.Pooling)
	p := &path{Sample: s, selecting: s.selecting(by), by: by, only: r.Only, sets: map[int][]int{}, improved: map[improvedKey]*learnable{}, last: map[improvedKey]*solve.Solution{}}
	least, most := bounds(r.sizes, s.Groups.Count())
	if most > 0 {
		if p.err = selectors[by.Method](ctx, p, least, most); p.err == nil && len(p.set(least)) == 0 { // a record may contain anything
			p.err = foreign(fmt.Sprint("descent ", by))
		}
	}
	r.paths[by] = p
	return p, p.err
}

// Form returns the sample as a recipe sees it.
func (r *Runner) Form(ctx context.Context, recipe Recipe) (*Sample, error) {
	return r.form(ctx, recipe.Select.Bins)
}

// form returns the sample with curves of some number of bins; 0 means as it is.
func (r *Runner) form(ctx context.Context, bins int) (*Sample, error) {
	if bins == 0 {
		return r.Sample, nil
	}
	if s := r.curved[bins]; s != nil {
		return s, nil
	}
	s, err := r.Curved(ctx, bins)
	r.curved[bins] = s
	return s, err
}

// Lipschitz measures the Lipschitz constant of the gradient at the start of a selection, without
// a ridge.
func (r *Runner) Lipschitz(ctx context.Context, by Selection) (anneal.Lipschitz, error) {
	s, err := r.form(ctx, by.Bins)
	if err != nil {
		return anneal.Lipschitz{}, err
	}
	return s.selecting(by).lipschitz(ctx)
}

// bounds returns the least and the greatest of some sizes that are not 0.
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

// selectors fill the sets of a path from the least size to the most; a new way to select is a
// file and a line here.
var selectors = map[Method]func(ctx context.Context, p *path, least, most int) error{
	Annealing: annealing,
	Lasso:     lasso,
}

// path is what one selection has selected on a sample, at every size.
type path struct {
	*Sample
	selecting *Sample // with the loss by which variables are selected
	by        Selection
	only      int            // size that is learned; 0 means any
	err       error          // that ended it
	trace     *anneal.Result // of the descent, if there was one
	sets      map[int][]int  // groups, by their number
	members   []int          // groups that are in one of them
	shared    *problem       // of these; nil until something is learned
	first     []int          // column of each member, and their number

	improved map[improvedKey]*learnable
	last     map[improvedKey]*solve.Solution // where to begin
}

// improvedKey is what the groups depend on that are learned at a size.
type improvedKey struct {
	polish bool
	swaps  Swaps
	size   int
}

func (k improvedKey) plain() bool { return !k.polish && k.swaps == Swaps{} }

// learnable is a selection that can be learned with one ridge after the other.
type learnable struct {
	groups  []int
	problem *problem
	columns []int
}

// learn learns what was selected at a size, after it was improved as the recipe says.
func (p *path) learn(ctx context.Context, recipe Recipe, size int) (*Fit, error) {
	key := improvedKey{recipe.Polish, recipe.Swaps, size}
	l := p.improved[key]
	if l == nil {
		var err error
		if l, err = p.improve(ctx, key); err != nil {
			return nil, err
		}
		p.improved[key] = l
	}
	l.problem.Ridge, l.problem.Adaptive = recipe.Ridge, recipe.Adaptive
	s, err := l.problem.Solve(ctx, l.columns, p.begin(key))
	if err != nil {
		return nil, err
	}
	p.last[key] = s
	return &Fit{Groups: l.groups, Ridge: recipe.Ridge, Adaptive: recipe.Adaptive, Solution: s, sample: p.Sample, problem: l.problem, descent: p.trace}, nil
}

// begin returns where to begin to learn what was selected at a size: at what was learned of
// it last, or else of the nearest size; nil means at the null model.
func (p *path) begin(key improvedKey) *solve.Solution {
	if s := p.last[key]; s != nil || !key.plain() {
		return s
	}
	for below, above := key.size-1, key.size+1; below > 0 || above <= len(p.members); below, above = below-1, above+1 {
		for _, near := range []int{below, above} {
			if s := p.last[improvedKey{size: near}]; near > 0 && s != nil {
				return s.Onto(p.columnsOf(p.set(near)), p.columnsOf(p.set(key.size)))
			}
		}
	}
	return nil
}

// improve returns what was selected at a size, after polishing and swaps.
func (p *path) improve(ctx context.Context, key improvedKey) (*learnable, error) {
	set := p.set(key.size)
	if key.plain() {
		if err := p.prepare(ctx); err != nil {
			return nil, err
		}
		return &learnable{groups: set, problem: p.shared, columns: p.columnsOf(set)}, nil
	}
	groups, err := p.Journal.found(fmt.Sprintf("improve %v %v %v %d", p.by, key.polish, key.swaps, key.size), len(set), p.Groups.Count(), p.Meter, func() (groups []int, err error) {
		groups = set
		if key.polish { // under the ridge of the selection: what is learned with other ridges are the same groups
			f, err := p.selecting.Learn(ctx, groups, p.by.Ridge, false, nil)
			if err != nil {
				return nil, err
			}
			if f, err = p.selecting.polish(ctx, p.by.Descent, f); err != nil {
				return nil, err
			}
			groups = f.Groups
		}
		if key.swaps != (Swaps{}) {
			groups, err = p.selecting.swap(ctx, groups, key.swaps)
		}
		return groups, err
	})
	if err != nil {
		return nil, err
	}
	problem, err := p.problem(ctx, groups, p.objective(groups, len(groups), 0, p.Rows()))
	if err != nil {
		return nil, err
	}
	return &learnable{groups: groups, problem: problem, columns: problem.columns()}, nil
}

// prepare fetches the columns of all sets, unless they are there.
func (p *path) prepare(ctx context.Context) error {
	if p.shared != nil {
		return nil
	}
	p.members = []int{} // nil would be all groups
	for size, set := range p.sets {
		if p.only == 0 || size == len(p.set(p.only)) {
			p.members = append(p.members, set...)
		}
	}
	slices.Sort(p.members)
	p.members = slices.Compact(p.members)
	ob := p.objective(p.members, len(p.members), 0, p.Rows())
	problem, err := p.problem(ctx, p.members, ob)
	if err != nil {
		return err
	}
	problem.There = p.Device.columns(problem.X, problem.Loss, problem.Target)
	l := ob.Layout()
	p.first = []int{0}
	for g := range p.members {
		lo, hi := l.Span(g)
		p.first = append(p.first, p.first[g]+(hi-lo)/problem.outputs)
	}
	p.shared = problem
	return nil
}

func (p *path) close() {
	if p.shared != nil && p.shared.There != nil {
		p.shared.There.Close()
		p.shared.There = nil
	}
}

// columnsOf returns the columns of some members.
func (p *path) columnsOf(set []int) []int {
	var cols []int
	for _, g := range set {
		i, _ := slices.BinarySearch(p.members, g)
		for c := p.first[i]; c < p.first[i+1]; c++ {
			cols = append(cols, c)
		}
	}
	return cols
}

// set returns the groups of a size: those alive when the descent passed it, or last
// before.
func (p *path) set(size int) []int {
	for k := min(size, p.Groups.Count()); k > 0; k-- {
		if s := p.sets[k]; s != nil {
			return s
		}
	}
	return nil
}
