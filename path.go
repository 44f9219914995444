package fsa

import (
	"context"
	"errors"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/subset"
)

// path is what one descent on the rows of a fold has selected, at every size that it
// passed. Annealing only drops, so that each selection holds the smaller ones.
type path struct {
	*fold
	ridge   float64
	sets    map[int][]int // groups, by their number
	problem *problem      // of the largest set
	first   []int         // column of each of its groups, and their number
	largest []int
	solved  map[int]*subset.Solution
	columns map[int][]int // of what was solved
}

// path descends once through all the sizes, the largest first. It returns nil if the
// descent diverges.
func (f *fold) path(ctx context.Context, ridge float64, sizes []int) (*path, error) {
	p := &path{fold: f, ridge: ridge, sets: map[int][]int{}, solved: map[int]*subset.Solution{}, columns: map[int][]int{}}
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
		err := p.descend(ctx, least, most)
		if errors.Is(err, anneal.ErrDiverged) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	return p, p.prepare(ctx, most)
}

// descend records which groups are alive when so many are.
func (p *path) descend(ctx context.Context, least, most int) error {
	r := p.round(p.ridge)
	if r.batch < p.facts.rows { // in which variables go fast: there must be one epoch a size
		r.epochs += most - least
	} else {
		r.epochs = min(r.epochs, max(tuneEpochs, 2*(most-least)))
	}
	r.schedule = stopping(r.schedule, least, most)
	ob := p.objective(nil, p.ridge, r.batch)
	to := p.settings(ctx, ob, &r)
	to.K = least
	to.Tolerance = 0
	to.Observe = func(e anneal.Epoch) {
		if e.Groups <= most && p.sets[e.Groups] == nil {
			p.sets[e.Groups] = slices.Clone(e.Alive)
		}
	}
	if most == p.groups.Count() { // of which none need go
		p.sets[most] = all(most)
	}
	_, err := anneal.Run(ctx, ob, to)
	return err
}

// stopping returns a schedule that passes through every size from most to least.
func stopping(s anneal.Schedule, least, most int) anneal.Schedule {
	alive := math.MaxInt
	return func(e, epochs, groups, k int) int {
		m := s(e, epochs, groups, k)
		if m <= most { // one at a time from here on, as late as the schedule allows
			m = max(m, min(alive, most+1)-1)
		}
		alive = max(m, least)
		return alive
	}
}

// prepare fetches the columns of the largest set.
func (p *path) prepare(ctx context.Context, most int) error {
	p.largest = p.sets[most]
	ob := p.objective(p.largest, p.ridge, p.facts.rows)
	var err error
	if p.problem, err = p.subset(ctx, ob); err != nil {
		return err
	}
	p.problem.Tolerance = foldTolerance
	l := ob.Layout()
	p.first = []int{0}
	for g := range p.largest {
		lo, hi := l.Span(g)
		p.first = append(p.first, p.first[g]+(hi-lo)/p.problem.outputs)
	}
	return nil
}

// solve learns the groups of a size to their optimum.
func (p *path) solve(ctx context.Context, size int) (*subset.Solution, error) {
	if s := p.solved[size]; s != nil {
		return s, nil
	}
	set := p.set(size)
	var cols []int
	for _, g := range set {
		i, _ := slices.BinarySearch(p.largest, g)
		for c := p.first[i]; c < p.first[i+1]; c++ {
			cols = append(cols, c)
		}
	}
	s, err := p.problem.Solve(ctx, cols, p.near(size, cols))
	if err != nil {
		return nil, err
	}
	p.solved[size], p.columns[size] = s, cols
	return s, nil
}

// near returns where to begin: with what the next larger size that is known has learned.
func (p *path) near(size int, cols []int) *subset.Solution {
	larger := 0
	for k := range p.solved {
		if k > size && (larger == 0 || k < larger) {
			larger = k
		}
	}
	from := p.solved[larger]
	if larger == 0 || from == nil {
		return nil
	}
	s := &subset.Solution{Beta: make([][]float64, len(from.Beta)), Intercept: from.Intercept}
	for c := range s.Beta {
		s.Beta[c] = make([]float64, len(cols))
		for i, col := range cols {
			if at, found := slices.BinarySearch(p.columns[larger], col); found {
				s.Beta[c][i] = from.Beta[c][at]
			}
		}
	}
	return s
}

// set returns the groups of a size: those alive when the descent passed it, or last
// before.
func (p *path) set(size int) []int {
	for k := min(size, len(p.largest)); k > 0; k-- {
		if s := p.sets[k]; s != nil {
			return s
		}
	}
	return nil
}

// loss returns the mean loss at a size on the rows that were not learned from.
func (p *path) loss(ctx context.Context, size int) (float64, error) {
	s, err := p.solve(ctx, size)
	if err != nil {
		return 0, err
	}
	return p.fold.loss(s), nil
}

// selection returns what was selected at a size.
func (p *path) selection(ctx context.Context, size int) (*selection, error) {
	s, err := p.exactly(ctx, p.set(size), p.ridge, nil)
	if err != nil {
		return nil, err
	}
	return s, nil
}
