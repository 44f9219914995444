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
	ob := s.objective(groups, len(groups), ridge, s.Rows())
	p, err := s.problem(ctx, groups, ob)
	if err != nil {
		return nil, err
	}
	f := &Fit{Groups: slices.Clone(groups), Ridge: ridge, Adaptive: adaptive, sample: s, ob: ob, problem: p}
	var start *solve.Solution
	if from != nil {
		start, f.descent = p.unpack(ob.Layout(), from.result().Beta), from.result()
	}
	p.Ridge, p.Adaptive, f.columns = ridge, adaptive, p.columns()
	if f.Solution, err = p.Solve(ctx, f.columns, start); err != nil {
		return nil, err
	}
	f.loss = f.Solution.Objective
	return f, nil
}

// null returns the null model, which has no groups.
func (s *Sample) null(ctx context.Context) (*Fit, error) {
	return s.Learn(ctx, []int{}, 0, false, nil)
}

// problem returns the problem of fitting the groups of an objective.
func (s *Sample) problem(ctx context.Context, groups []int, ob *objective.Objective) (*problem, error) {
	x, penalty, err := ob.Columns(ctx)
	if err != nil {
		return nil, err
	}
	s.clamp(x)
	bases := s.bases(groups, ob)
	for _, b := range bases {
		b.apply(x)
	}
	outputs := s.Loss.Outputs()
	return &problem{solve.Problem{
		X: x, Penalty: penalty, Loss: s.Loss, Intercept: ob.Layout().Free > 0, Tolerance: s.Tolerance, Threads: s.Threads,
		Quadratic: s.Kind.Quadratic && outputs == 1, Target: s.lossTarget(), Constraints: s.constraints(groups, ob, bases),
	}, outputs, bases}, nil
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
