package search

import (
	"context"
	"fmt"
	"slices"

	"fsa/anneal"
	"fsa/internal/objective"
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

// path returns the groups that a selection selects at each size. It runs each selection once.
func (r *Runner) path(ctx context.Context, by Selection) (*path, error) {
	if p := r.paths[by]; p != nil {
		return p, p.err
	}
	s, err := r.form(ctx, by)
	if err != nil {
		return nil, err
	}
	s = s.WithPooling(by.Pooling)
	p := &path{Sample: s, selecting: s.selecting(by), by: by, only: r.Only, sets: map[int][]int{}, improved: map[improvedKey]*learnable{}, last: map[improvedKey]*solve.Solution{}}
	least, most := bounds(r.sizes, s.Groups.Count())
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

// Form returns the sample in the form of a recipe, with lines or shape functions, and with interactions.
func (r *Runner) Form(ctx context.Context, recipe Recipe) (*Sample, error) {
	return r.form(ctx, recipe.Select)
}

// form returns the sample in the form of a selection: with shape functions, with interactions, or itself.
func (r *Runner) form(ctx context.Context, by Selection) (*Sample, error) {
	bins := by.Bins
	switch {
	case by.Interactions.Most > 0:
		return r.paired(ctx, by)
	case bins == 0:
		return r.Sample, nil
	}
	if s := r.curved[bins]; s != nil {
		return s, nil
	}
	s, err := r.Curved(ctx, bins)
	r.curved[bins] = s
	return s, err
}

// paired returns the sample with the pairs that a selection may select: those that the score test
// finds in what the additive model of the same selection leaves over.
func (r *Runner) paired(ctx context.Context, by Selection) (*Sample, error) {
	if s := r.pairs[by]; s != nil {
		return s, nil
	}
	plain := by
	plain.Interactions = Interactions{}
	s, err := r.form(ctx, plain)
	if err != nil {
		return nil, err
	}
	from, size := r, r.largest(s.Bears(by.Bins))
	if r.Only > 0 {
		from = NewRunner(r.Sample, r.sizes)
		from.Only, from.curved = size, r.curved
		defer from.Close()
	}
	additive, err := from.Run(ctx, Recipe{Select: plain, Ridge: by.Ridge}, size)
	if err != nil {
		return nil, err
	}
	found, err := r.screen(ctx, additive, min(by.Interactions.Most, slices.Max(r.sizes)), by.Interactions.Knots)
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		if s, err = s.WithInteractions(ctx, found); err != nil {
			return nil, err
		}
		s.setParents(by.Interactions.Heredity)
	}
	r.pairs[by] = s
	return s, nil
}

// largest returns the largest size of the runner that has enough variables and is at most the given one, or the smallest
// size of all.
func (r *Runner) largest(most int) int {
	size, _ := bounds(r.sizes, r.Groups.Count())
	for _, k := range r.sizes {
		if k <= min(most, r.Groups.Count()) {
			size = max(size, k)
		}
	}
	return size
}

// Lipschitz returns the Lipschitz constant of the gradient at the start of a selection, without a
// ridge.
func (r *Runner) Lipschitz(ctx context.Context, by Selection) (anneal.Lipschitz, error) {
	s, err := r.form(ctx, by)
	if err != nil {
		return anneal.Lipschitz{}, err
	}
	return s.selecting(by).lipschitz(ctx)
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

// path is the result of one selection on a sample: the selected groups at each size.
type path struct {
	*Sample
	selecting *Sample // the sample with the loss that selects
	by        Selection
	only      int                  // the one size that will be fitted; 0 means any
	err       error                // error of the selection
	trace     *anneal.Result       // result of the descent; nil without one
	sets      map[int][]int        // selected groups, by their number
	bought    map[int][]int        // selected groups, by size, if they have prices
	left      *objective.Objective // objective of the descent, if its remaining columns are those of members
	below     int                  // the smallest size to eliminate groups down to; 0 if all sets are known
	members   []int                // union of the sets up to a size, ascending
	upTo      int                  // this size; 0 means all
	shared    *problem             // problem with the columns of members; nil until a fit needs it

	improved map[improvedKey]*learnable
	last     map[improvedKey]*solve.Solution // last solution, from which the next fit starts
}

// improvedKey identifies a selection after polishing and swaps.
type improvedKey struct {
	polish bool
	swaps  Swaps
	size   int
}

func (k improvedKey) plain() bool { return !k.polish && k.swaps == Swaps{} }

// learnable is a selection with its columns, which can be fitted with several ridges.
type learnable struct {
	groups  []int
	problem *problem
	columns []int
}

// learn fits the selection at a size, after the improvements of the recipe.
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
	s, err := l.problem.Optimum(ctx, l.columns, p.begin(key))
	if err != nil {
		return nil, err
	}
	p.last[key] = s
	return &Fit{Groups: l.groups, Ridge: recipe.Ridge, Adaptive: recipe.Adaptive, Solution: s, sample: p.Sample, problem: l.problem, columns: l.columns, descent: p.trace}, nil
}

// begin returns the solution from which the fit of a selection starts: its last solution or else, for
// a selection without improvements, that of the nearest size. nil means the null model.
func (p *path) begin(key improvedKey) *solve.Solution {
	if s := p.last[key]; s != nil || !key.plain() {
		return s
	}
	for below, above := key.size-1, key.size+1; below > 0 || above <= len(p.members); below, above = below-1, above+1 {
		for _, near := range []int{above, below} { // a larger model is the better start
			if s := p.last[improvedKey{size: near}]; s != nil {
				return s.Onto(p.columnsOf(p.set(near)), p.columnsOf(p.set(key.size)))
			}
		}
	}
	return nil
}

// improve returns the selection at a size after polishing and swaps.
func (p *path) improve(ctx context.Context, key improvedKey) (*learnable, error) {
	if err := p.eliminate(ctx); err != nil {
		return nil, err
	}
	set := p.set(key.size)
	if key.plain() {
		if err := p.prepare(ctx, len(set)); err != nil {
			return nil, err
		}
		return &learnable{groups: set, problem: p.shared, columns: p.columnsOf(set)}, nil
	}
	number := len(set)
	if p.Spending != nil {
		number = -1
	}
	groups, err := p.Journal.found(fmt.Sprintf("improve %v %v %v %d", p.by, key.polish, key.swaps, key.size), number, p.Groups.Count(), p.Meter, func() (groups []int, err error) {
		groups = set
		if key.polish { // with the ridge of the selection, so that all ridges of the final fit get the same groups
			f, err := p.selecting.Learn(ctx, groups, p.by.Ridge, false, nil)
			if err != nil {
				return nil, err
			}
			if f, err = p.selecting.polish(ctx, p.by.Descent, f); err != nil {
				return nil, err
			}
			groups = f.Groups
		}
		if key.swaps == (Swaps{}) {
			return groups, nil
		}
		return p.selecting.swap(ctx, groups, key.swaps, key.size)
	})
	if err != nil {
		return nil, err
	}
	problem, err := p.problem(ctx, groups, p.objective(groups, len(groups), 0, p.Rows()), p.shared)
	if err != nil {
		return nil, err
	}
	return &learnable{groups: groups, problem: problem, columns: problem.columns()}, nil
}

// prepare fetches the columns of all sets once. For shape functions, which have many columns and often lose at the first
// size that is tried, it fetches only the sets up to the given size.
func (p *path) prepare(ctx context.Context, size int) error {
	if p.shared != nil && (p.upTo == 0 || size <= p.upTo) {
		return nil
	}
	if p.close(); p.by.Bins > 0 && p.only == 0 {
		p.upTo = size
	}
	p.members = []int{} // nil would be all groups
	for _, set := range p.fetched() {
		if (p.only == 0 || p.below > 0 || len(set) == len(p.set(p.only))) && (p.upTo == 0 || len(set) <= p.upTo) {
			p.members = append(p.members, set...)
		}
	}
	slices.Sort(p.members)
	p.members = slices.Compact(p.members)
	ob := p.left
	if p.left = nil; ob == nil {
		ob = p.objective(p.members, len(p.members), 0, p.Rows())
	}
	problem, err := p.problem(ctx, p.members, ob, p.shared)
	if err != nil {
		return err
	}
	problem.Device = p.Device.columns(problem.X, problem.Loss, problem.Target)
	p.shared = problem
	return nil
}

func (p *path) close() {
	if p.shared != nil && p.shared.Device != nil {
		p.shared.Device.Close()
		p.shared.Device = nil
	}
}

// columnsOf returns the columns of a set of groups in the shared problem.
func (p *path) columnsOf(set []int) []int {
	var cols []int
	for _, g := range set {
		for c, after := p.shared.span(g); c < after; c++ {
			cols = append(cols, c)
		}
	}
	return cols
}

// set returns the groups selected at a size.
func (p *path) set(size int) []int {
	if p.Spending != nil {
		return p.within(size)
	}
	return p.upToSize(size)
}

// upToSize returns the set of a number of groups or, if the path has none, that of the next smaller number.
func (p *path) upToSize(size int) []int {
	for k := min(size, p.Groups.Count()); k > 0; k-- {
		if s := p.sets[k]; s != nil {
			return s
		}
	}
	return nil
}

// within returns the groups that a path selects with the budget of a size: in the reverse of the order in which the
// descent dropped them, each that the rest of the money allows.
func (p *path) within(size int) []int {
	if set := p.bought[size]; set != nil {
		return set
	}
	s := p.Sample
	set, sum, seen := []int{}, 0.0, make([]bool, s.Groups.Count())
	take := func(groups []int) {
		for _, g := range groups {
			if !seen[g] && len(set) < s.Spending.Most && Affordable(sum+s.prices[g], s.Spending.Budgets[size-1]) {
				set, sum = append(set, g), sum+s.prices[g]
			}
			seen[g] = true
		}
	}
	take(s.Force)
	for n := range s.Groups.Count() + 1 {
		take(p.sets[n])
	}
	slices.Sort(set)
	if p.below == 0 { // all sets are known
		if p.bought == nil {
			p.bought = map[int][]int{}
		}
		p.bought[size] = set
	}
	return set
}

// fetched returns the sets whose columns are fetched together.
func (p *path) fetched() (list [][]int) {
	if s := p.Spending; s != nil && p.below == 0 {
		for i := range s.Budgets {
			list = append(list, p.within(i+1))
		}
		return list
	}
	for _, set := range p.sets {
		list = append(list, set)
	}
	return list
}
