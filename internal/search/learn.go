package search

import (
	"context"
	"math"
	"slices"

	"fsa/internal/objective"
	"fsa/internal/solve"
)

// Learn fits the given groups to their optimum under a ridge. It starts from the coefficients of
// another fit of the same groups, or from zero if from is nil.
func (s *Sample) Learn(ctx context.Context, groups []int, ridge float64, adaptive bool, from *Fit) (*Fit, error) {
	f, err := s.unsolved(ctx, groups, ridge, nil)
	if err != nil {
		return nil, err
	}
	f.Adaptive = adaptive
	var start *solve.Solution
	if from != nil {
		start, f.descent = f.problem.unpack(f.ob.Layout(), from.result().Beta), from.result()
	}
	return f, f.solve(ctx, start)
}

// unsolved returns a fit without a solution. It does not fetch the columns that another problem of the same sample has.
func (s *Sample) unsolved(ctx context.Context, groups []int, ridge float64, has *problem) (*Fit, error) {
	ob := s.objective(groups, len(groups), ridge, s.Rows())
	p, err := s.problem(ctx, groups, ob, has)
	return &Fit{Groups: slices.Clone(groups), Ridge: ridge, sample: s, ob: ob, problem: p}, err
}

// learnNear is [Sample.Learn] for other groups than those of a fit of this sample, from which it takes the columns and
// coefficients that both have.
func (s *Sample) learnNear(ctx context.Context, groups []int, near *Fit) (*Fit, error) {
	f, err := s.unsolved(ctx, groups, near.Ridge, near.problem)
	if err != nil {
		return nil, err
	}
	return f, f.solve(ctx, near.problem.onto(f.problem, near.Solution))
}

// solve finds the coefficients of a fit, from a solution to start from; nil starts from zero.
func (f *Fit) solve(ctx context.Context, start *solve.Solution) (err error) {
	f.problem.Ridge, f.problem.Adaptive, f.columns = f.Ridge, f.Adaptive, f.problem.columns()
	if f.Solution, err = f.problem.Solve(ctx, f.columns, start); err == nil {
		f.loss = f.Solution.Objective
	}
	return err
}

// problem returns the problem of fitting the groups of an objective, which ascend. It does not fetch the columns that another
// problem of the same sample has; nil has none.
func (s *Sample) problem(ctx context.Context, groups []int, ob *objective.Objective, has *problem) (*problem, error) {
	bases, outputs := s.bases(groups, ob), s.Loss.Outputs()
	p := &problem{solve.Problem{
		Loss: s.Loss, Intercept: ob.Layout().Free > 0, Tolerance: s.Tolerance, Threads: s.Threads,
		Quadratic: s.Kind.Quadratic && outputs == 1, Target: s.lossTarget(), Constraints: s.constraints(groups, ob, bases),
	}, groups, []int{0}, outputs, bases}
	for g := range groups {
		lo, hi := ob.Layout().Span(g)
		p.first = append(p.first, p.first[g]+(hi-lo)/outputs)
	}
	return p, s.fetch(ctx, p, ob, has)
}

// fetch sets the columns and penalties of a problem with the groups of an objective.
func (s *Sample) fetch(ctx context.Context, p *problem, ob *objective.Objective, has *problem) (err error) {
	fresh := slices.DeleteFunc(slices.Clone(p.groups), has.holds)
	if len(fresh) == len(p.groups) {
		if p.X, p.Penalty, err = ob.Columns(ctx); err != nil {
			return err
		}
		s.clamp(p.X)
		for _, b := range p.bases {
			b.apply(p.X)
		}
		return nil
	}
	rest := has
	if len(fresh) > 0 {
		if rest, err = s.problem(ctx, fresh, s.objective(fresh, len(fresh), 0, s.Rows()), nil); err != nil {
			return err
		}
	}
	for _, g := range p.groups {
		from := rest
		if has.holds(g) {
			from = has
		}
		lo, hi := from.span(g)
		p.X, p.Penalty = append(p.X, from.X[lo:hi]...), append(p.Penalty, from.Penalty[lo:hi]...)
		for c := lo; c < hi; c++ {
			at := -1
			if from == has {
				at = c
			}
			p.Known.At = append(p.Known.At, at)
		}
	}
	p.Known.Of = &has.Problem
	return ob.Narrow(ctx)
}

// clamp limits the numbers of held-out rows to the range of the training rows plus a margin, as
// predictions do, so that lines are not extrapolated far.
func (s *Sample) clamp(x [][]float64) {
	if s.Counted == s.Rows() || math.IsInf(s.Margin, 1) {
		return
	}
	var learned, others []int // rows with a weight, and without
	for i, w := range s.Target.Weight {
		if w > 0 {
			learned = append(learned, i)
		} else {
			others = append(others, i)
		}
	}
	for _, column := range x {
		low, high := math.Inf(1), math.Inf(-1)
		for _, i := range learned {
			v := column[i]
			if v < low {
				low = v
			}
			if v > high {
				high = v
			}
		}
		margin := s.Margin * (high - low)
		low, high = low-margin, high+margin
		for _, i := range others {
			if v := column[i]; v < low {
				column[i] = low
			} else if v > high {
				column[i] = high
			}
		}
	}
}
