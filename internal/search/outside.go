package search

import (
	"cmp"
	"context"
	"slices"

	"fsa/anneal"
)

// outside returns the groups that are not selected, in descending order of the norm of their gradient.
// It also returns this norm for every group that is not selected, and the loss of the fit.
func (s *Sample) outside(ctx context.Context, f *Fit) (order []int, slope []float64, loss float64, err error) {
	ob := s.objective(nil, s.Groups.Count(), f.Ridge, s.Rows())
	l := ob.Layout()
	beta, grad := make([]float64, l.Len()), make([]float64, l.Len())
	chosen := make([]bool, l.Groups())
	for i, g := range f.Groups {
		chosen[g] = true
		copy(l.Of(beta, g), f.result().Group(i))
	}
	copy(beta[len(beta)-l.Free:], f.result().Free())
	on, done, err := s.Device.objective(ctx, ob)
	if err != nil {
		return nil, nil, 0, err
	}
	defer done()
	sum, weight, err := on.Eval(ctx, 0, grad, beta)
	if err != nil {
		return nil, nil, 0, err
	}
	slope = make([]float64, l.Groups())
	along := s.feasibleDirections()
	for g := range l.Groups() {
		if !chosen[g] {
			order = append(order, g)
			slope[g] = anneal.Norm(along(g, l.Of(grad, g))) / weight / s.groupWeight(g)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(slope[b], slope[a]), a-b) })
	return order, slope, sum / weight, nil
}
