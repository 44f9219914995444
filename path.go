package fsa

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/subset"
)

// path is what one descent on the rows of a fold has selected, at every size that it
// passed. Annealing only drops, so that each selection holds the smaller ones; the lasso takes back what it took.
type path struct {
	*fold
	descent descent
	sets    map[int][]int // groups, by their number
	members []int         // groups that are in one of them
	problem *problem      // of these
	first   []int         // column of each, and their number
	learned map[learnedKey]*learned
	last    map[learnedKey]*subset.Solution       // where to begin
	origin  map[*subset.Solution]*subset.Solution // where those began that were not learned here
}

// newPath returns a path on which nothing is selected yet.
func (f *fold) newPath(d descent) *path {
	return &path{fold: f, descent: d, sets: map[int][]int{}, learned: map[learnedKey]*learned{}, last: map[learnedKey]*subset.Solution{}, origin: map[*subset.Solution]*subset.Solution{}}
}

// path descends once through all the sizes, the largest first. It returns nil if the
// descent diverges.
func (f *fold) path(ctx context.Context, d descent, sizes []int) (*path, error) {
	p := f.pooled(d.pooling).newPath(d)
	groups := f.groups.Count()
	least, most := 0, 0
	for _, k := range sizes {
		if k = min(k, groups); k > 0 {
			most = max(most, k)
			if least == 0 || k < least {
				least = k
			}
		}
	}
	if most > 0 {
		var err error
		switch p.descent.ridge {
		case screening:
			err = p.screen(ctx, most)
		case lassoPath:
			err = p.byLasso(ctx, most)
		default:
			err = p.descend(ctx, least, most)
		}
		if errors.Is(err, anneal.ErrDiverged) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return p, p.prepare(ctx)
}

// descend records which groups are alive when so many are.
func (p *path) descend(ctx context.Context, least, most int) error {
	r := p.round(p.descent.ridge)
	if r.batch < p.facts.rows { // in which variables go fast: there must be one epoch a size
		r.epochs += most - least
	} else {
		r.epochs = min(r.epochs, max(tuneEpochs, 2*(most-least)))
	}
	r.schedule = stopping(r.schedule, least, most)
	ob := p.objective(nil, p.descent.ridge, r.batch)
	to := p.settings(ctx, ob, &r)
	to.K = least
	to.Tolerance = 0
	if to.Lipschitz = p.lipschitz; to.Lipschitz.Constant > 0 {
		to.Lipschitz.Constant += 2 * p.descent.ridge
	}
	to.Observe = func(e anneal.Epoch) {
		if e.Groups <= most && p.sets[e.Groups] == nil {
			p.sets[e.Groups] = slices.Clone(e.Alive)
		}
	}
	if most == p.groups.Count() { // of which none need go
		p.sets[most] = all(most)
	}
	_, err := p.run(ctx, fmt.Sprintf("descent %v", p.descent), ob, to, p.sets, nil)
	return err
}

// stopping returns a schedule that passes through every size from most to least.
func stopping(s anneal.Schedule, least, most int) anneal.Schedule {
	alive, after := math.MaxInt, 0 // so many epochs
	return func(e, epochs, groups, k int) int {
		if e < after {
			alive, after = math.MaxInt, 0
		}
		for after < e { // a descent may go on from a later epoch
			after++
			m := s(after, epochs, groups, k)
			if m <= most { // one at a time from here on, as late as the schedule allows
				m = max(m, min(alive, most+1)-1)
			}
			alive = max(m, least)
		}
		return alive
	}
}

// prepare fetches the columns of all sets.
func (p *path) prepare(ctx context.Context) error {
	p.members = []int{} // nil would be all groups
	for _, set := range p.sets {
		p.members = append(p.members, set...)
	}
	slices.Sort(p.members)
	p.members = slices.Compact(p.members)
	ob := p.objective(p.members, p.descent.ridge, p.facts.rows)
	var err error
	if p.problem, err = p.subset(ctx, ob); err != nil {
		return err
	}
	if !p.plan.Exact { // else columns are swapped
		p.problem.There = p.place.columns(p.problem.X, p.problem.Loss, p.problem.Target)
	}
	l := ob.Layout()
	p.first = []int{0}
	for g := range p.members {
		lo, hi := l.Span(g)
		p.first = append(p.first, p.first[g]+(hi-lo)/p.problem.outputs)
	}
	return nil
}

// close gives back what the columns take elsewhere.
func (p *path) close() {
	if p.problem != nil && p.problem.There != nil {
		p.problem.There.Close()
		p.problem.There = nil
	}
}

// learn learns what was selected at a size, after swaps if there are some.
func (p *path) learn(ctx context.Context, w way, size int, from *subset.Solution) (*subset.Solution, error) {
	key := learnedKey{w.swap, size}
	l := p.learned[key]
	if l == nil {
		var err error
		if l, err = p.selectAt(ctx, w, size); err != nil {
			return nil, err
		}
		p.learned[key] = l
	}
	l.problem.Ridge, l.problem.Adaptive = w.ridge, w.adaptive
	s, err := l.problem.Solve(ctx, l.columns, from)
	p.last[key] = s
	return s, err
}

// begin returns where to begin to learn what was selected at a size: at what was learned of
// it last, or else of the nearest size; nil means at the null model.
func (p *path) begin(swap swaps, size int) *subset.Solution {
	key := learnedKey{swap, size}
	if s := p.last[key]; s != nil || swap != (swaps{}) {
		return s
	}
	for below, above := size-1, size+1; below > 0 || above <= len(p.members); below, above = below-1, above+1 {
		for _, near := range []int{below, above} {
			if s := p.last[learnedKey{size: near}]; near > 0 && s != nil {
				return s.Onto(p.columnsOf(p.set(near)), p.columnsOf(p.set(size)))
			}
		}
	}
	return nil
}

type learnedKey struct {
	swap swaps
	size int
}

// learned is a selection that is learned with one ridge after the other.
type learned struct {
	groups  []int
	problem *problem
	columns []int
}

// selectAt returns what was selected at a size, after swaps if there are some.
func (p *path) selectAt(ctx context.Context, w way, size int) (*learned, error) {
	set := p.set(size)
	if w.swap == (swaps{}) || size == 0 {
		return &learned{groups: set, problem: p.problem, columns: p.columnsOf(set)}, nil
	}
	chosen, err := p.found(fmt.Sprintf("swap %v %v %d", p.descent.ridge, w.swap, size), func() ([]int, error) {
		s, err := p.exactly(ctx, set, w.swap.ridge, nil)
		if err != nil {
			return nil, err
		}
		return p.swappedFor(ctx, s, w.swap)
	})
	if err != nil {
		return nil, err
	}
	problem, err := p.subset(ctx, p.objective(chosen, 0, p.facts.rows))
	if err != nil {
		return nil, err
	}
	return &learned{groups: chosen, problem: problem, columns: problem.columns()}, nil
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
	for k := min(size, len(p.members)); k > 0; k-- {
		if s := p.sets[k]; s != nil {
			return s
		}
	}
	return nil
}
