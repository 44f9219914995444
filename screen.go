package fsa

import (
	"context"
	"math"
	"slices"
)

// screening stands for the ridge of a descent whose ridge is so strong that only the first
// step counts: variables are taken by their slopes at the null model, each on its own.
// Where rows are few and all columns say the same, that may be the best there is (sure
// independence screening, Fan and Lv 2008).
var screening = math.Inf(1)

// screened lists all groups, those first that must stay and then those of which the loss
// of the null model would fall fastest.
func (j *Job) screened(ctx context.Context) ([]int, error) {
	null, err := j.null(ctx)
	if err != nil {
		return nil, err
	}
	order, _, _, err := j.outside(ctx, null)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return btoi(slices.Contains(j.force, b)) - btoi(slices.Contains(j.force, a))
	})
	return order, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// screen takes as many groups as are wanted.
func screen(ctx context.Context, j *Job) (*selection, error) {
	order, err := j.screened(ctx)
	if err != nil {
		return nil, err
	}
	chosen := slices.Clone(order[:min(j.plan.K, len(order))])
	slices.Sort(chosen)
	return j.exactly(ctx, chosen, j.plan.Ridge, nil)
}

// screen records which groups are taken at every size.
func (p *path) screen(ctx context.Context, most int) error {
	order, err := p.screened(ctx)
	if err != nil {
		return err
	}
	for k := 1; k <= most; k++ {
		p.sets[k] = slices.Sorted(slices.Values(order[:k]))
	}
	return nil
}
