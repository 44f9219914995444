package fsa

import (
	"context"
	"errors"
	"math"
	"slices"

	"fsa/anneal"
	"fsa/internal/objective"
	"fsa/internal/subset"
	"fsa/loss"
	"fsa/model"
)

// exactly learns some groups to their optimum under a ridge. From is where to begin, as
// a selection of the same groups; nil means at zero.
func (j *Job) exactly(ctx context.Context, some []int, ridge float64, from *selection) (*selection, error) {
	ob := j.objective(some, ridge, j.facts.rows)
	p, err := j.subset(ctx, ob)
	if err != nil {
		return nil, err
	}
	p.Ridge = ridge
	s := &selection{chosen: slices.Clone(some), ridge: ridge, ob: ob, problem: p}
	var start *subset.Solution
	if from != nil {
		start = p.unpack(ob.Layout(), from.res.Beta)
	}
	if s.solution, err = p.Solve(ctx, p.columns(), start); err != nil {
		return nil, err
	}
	s.keep(from)
	return s, nil
}

// keep makes the solution the result.
func (s *selection) keep(from *selection) {
	l := s.ob.Layout()
	s.res = &anneal.Result{Groups: all(len(s.chosen)), Layout: l, Beta: s.problem.pack(l, s.solution), Trace: []anneal.Epoch{{}}}
	if from != nil {
		s.res.Trace, s.res.Status = from.res.Trace, from.res.Status
	}
	s.loss = s.solution.Objective
}

// problem is a subset problem whose columns belong to groups.
type problem struct {
	subset.Problem
	outputs int
}

// subset returns the problem of learning the groups of an objective.
func (j *Job) subset(ctx context.Context, ob *objective.Objective) (*problem, error) {
	x, penalty, err := ob.Columns(ctx)
	if err != nil {
		return nil, err
	}
	j.clamp(x)
	t := j.target
	return &problem{subset.Problem{
		X: x, Penalty: penalty, Loss: j.response.Loss, Intercept: ob.Layout().Free > 0, Tolerance: j.tolerance, Quadratic: j.response.Kind.Quadratic && j.response.Loss.Outputs() == 1,
		Target: loss.Target{Y: t.Y, Weight: t.Weight, Query: t.Query, Pairs: t.Pairs},
	}, j.response.Loss.Outputs()}, nil
}

// clamp keeps the numbers of rows that are not learned from near the range of those that
// are, as predictions do: a line must not be followed far beyond what was seen.
func (j *Job) clamp(x [][]float64) {
	if j.facts.counted == j.facts.rows {
		return
	}
	for _, column := range x {
		low, high := math.Inf(1), math.Inf(-1)
		for i, v := range column {
			if j.target.Weight[i] > 0 {
				if v < low {
					low = v
				}
				if v > high {
					high = v
				}
			}
		}
		margin := model.Margin * (high - low)
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

func (p *problem) columns() []int { return all(len(p.X)) }

// unpack brings coefficients in the order of annealing, group by group and output by
// output, to those of a subset problem; pack does the reverse.
func (p *problem) unpack(l anneal.Layout, beta []float64) *subset.Solution {
	s := &subset.Solution{Beta: make([][]float64, p.outputs), Intercept: make([]float64, p.outputs)}
	for g := range l.Groups() {
		part := l.Of(beta, g)
		width := len(part) / p.outputs
		for c := range p.outputs {
			s.Beta[c] = append(s.Beta[c], part[c*width:(c+1)*width]...)
		}
	}
	copy(s.Intercept, beta[len(beta)-l.Free:])
	return s
}

func (p *problem) pack(l anneal.Layout, s *subset.Solution) []float64 {
	beta := make([]float64, l.Len())
	at := 0
	for g := range l.Groups() {
		part := l.Of(beta, g)
		width := len(part) / p.outputs
		for c := range p.outputs {
			copy(part[c*width:(c+1)*width], s.Beta[c][at:at+width])
		}
		at += width
	}
	copy(beta[len(beta)-l.Free:], s.Intercept)
	return beta
}

// swaps says how variables are swapped exactly. The zero value means that they are not.
type swaps struct {
	ridge   float64 // of the objective that has to fall,
	gain    float64 // by this share
	detours bool    // the search goes on where no swap gains,
	quick   bool    // along the quadratic that is nearest to the loss
}

// swapExactly is a stage: chosen variables give way to others while the objective falls,
// each pair judged as if the one that leaves had left, and then by detours where the plan says
// so. What is chosen then is learned with the ridge of the plan again.
func swapExactly(ctx context.Context, j *Job, s *selection) (*selection, error) {
	chosen, err := j.found("swap", func() ([]int, error) {
		return j.swappedFor(ctx, s, swaps{j.plan.SwapRidge, j.plan.SwapGain, j.plan.Detours, !j.facts.small()})
	})
	if err != nil || slices.Equal(chosen, s.chosen) {
		return s, err
	}
	next, err := j.exactly(ctx, chosen, s.ridge, nil)
	if err == nil {
		next.res.Trace, next.res.Status = s.res.Trace, s.res.Status
	}
	return next, err
}

// swappedFor returns the groups that those of a selection are swapped for.
func (j *Job) swappedFor(ctx context.Context, s *selection, by swaps) ([]int, error) {
	t := &wholeTable{j: j, ob: j.objective(nil, by.ridge, j.facts.rows)}
	must := make([]bool, len(s.chosen))
	for i, g := range s.chosen {
		must[i] = slices.Contains(j.force, g)
	}
	p := s.problem
	p.Ridge = by.ridge
	from, err := p.Solve(ctx, p.columns(), s.solution)
	if err != nil {
		return nil, err
	}
	chosen, _, err := p.Swap(ctx, t, s.chosen, must, from, subset.Swaps{Most: len(s.chosen), Gain: by.gain, Try: swapTries, Detours: by.detours, Quick: by.quick})
	p.Ridge = s.ridge
	return chosen, err
}

// wholeTable is all columns as swaps see them.
type wholeTable struct {
	j  *Job
	ob *objective.Objective
}

var _ subset.Table = (*wholeTable)(nil)

func (t *wholeTable) Count() int { return t.j.groups.Count() }

func (t *wholeTable) Products(ctx context.Context, r [][]float64) ([][]float64, error) {
	return t.ob.Products(ctx, r)
}

func (t *wholeTable) Columns(ctx context.Context, groups []int) ([][]float64, error) {
	order := slices.Sorted(slices.Values(groups))
	sorted, _, err := t.j.objective(order, 0, t.j.facts.rows).Columns(ctx)
	if err != nil {
		return nil, err
	}
	if len(sorted) != len(groups) {
		return nil, errors.New("fsa: a group that is swapped has more than one column")
	}
	x := make([][]float64, len(groups))
	for i, g := range groups {
		at, _ := slices.BinarySearch(order, g)
		x[i] = sorted[at]
	}
	return x, nil
}

func (t *wholeTable) Square(g int) float64 {
	return t.j.design.Square(t.j.groups.Of(g)[0])
}

// all returns 0 to n−1.
func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
