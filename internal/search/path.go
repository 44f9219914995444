package search

import (
	"context"
	"fmt"
	"slices"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/solve"
)

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
				return s.Onto(p.shared.columnsOf(p.set(near)), p.shared.columnsOf(p.set(key.size)))
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
		return &learnable{groups: set, problem: p.shared, columns: p.shared.columnsOf(set)}, nil
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

// set returns the groups selected at a size.
func (p *path) set(size int) []int {
	if p.Spending != nil {
		return p.affordable(size)
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

// fetched returns the sets whose columns are fetched together.
func (p *path) fetched() (list [][]int) {
	if s := p.Spending; s != nil && p.below == 0 {
		for i := range s.Budgets {
			list = append(list, p.affordable(i+1))
		}
		return list
	}
	for _, set := range p.sets {
		list = append(list, set)
	}
	return list
}

// affordable returns the groups that a path selects with the budget of a size: in the reverse of the order in which the
// descent dropped them, each that the rest of the money allows.
func (p *path) affordable(size int) []int {
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
