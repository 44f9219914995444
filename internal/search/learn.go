package search

import (
	"context"
	"math"
	"slices"

	"fsa/internal/objective"
	"fsa/internal/solve"
)

// Learn learns some groups to their optimum under a ridge, from where another fit of the
// same groups is; nil means from zero.
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
	p.Ridge, p.Adaptive = ridge, adaptive
	if f.Solution, err = p.Solve(ctx, p.columns(), start); err != nil {
		return nil, err
	}
	f.loss = f.Solution.Objective
	return f, nil
}

// null returns the null model: the selection of no group.
func (s *Sample) null(ctx context.Context) (*Fit, error) {
	return s.Learn(ctx, []int{}, 0, false, nil)
}

// problem returns the problem of learning the groups of an objective.
func (s *Sample) problem(ctx context.Context, groups []int, ob *objective.Objective) (*problem, error) {
	x, penalty, err := ob.Columns(ctx)
	if err != nil {
		return nil, err
	}
	s.clamp(x)
	bends := s.bends(groups, ob)
	for _, b := range bends {
		b.apply(x)
	}
	outputs := s.Loss.Outputs()
	return &problem{solve.Problem{
		X: x, Penalty: penalty, Loss: s.Loss, Intercept: ob.Layout().Free > 0, Tolerance: s.Tolerance,
		Quadratic: s.Kind.Quadratic && outputs == 1, Target: s.lossTarget(),
	}, outputs, bends}, nil
}

// clamp keeps the numbers of held-out rows near the range of the training rows, as
// predictions do: a line must not be followed far beyond what was seen.
func (s *Sample) clamp(x [][]float64) {
	if s.Counted == s.Rows() {
		return
	}
	for _, column := range x {
		low, high := math.Inf(1), math.Inf(-1)
		for i, v := range column {
			if s.Target.Weight[i] > 0 {
				if v < low {
					low = v
				}
				if v > high {
					high = v
				}
			}
		}
		margin := s.Margin * (high - low)
		low, high = low-margin, high+margin
		for i, v := range column {
			if v < low {
				column[i] = low
			} else if v > high {
				column[i] = high
			}
		}
	}
}
