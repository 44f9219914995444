package fsa

import (
	"context"
	"math"
)

// lassoPath stands for the ridge of a descent in whose place variables are taken as the lasso takes them. Where columns
// outnumber rows, shrinking all that compete may choose better than dropping them does.
const lassoPath = math.MaxFloat64

// lassoSets returns the groups that are taken at every size, those first that must stay.
func (j *Job) lassoSets(ctx context.Context, most int) ([][]int, error) {
	null, err := j.null(ctx)
	if err != nil {
		return nil, err
	}
	return null.problem.Lasso(ctx, &wholeTable{j: j, ob: j.objective(nil, 0, j.facts.rows)}, null.solution, j.force, most)
}

// byLasso takes as many groups as are wanted.
func byLasso(ctx context.Context, j *Job) (*selection, error) {
	sets, err := j.lassoSets(ctx, j.plan.K)
	if err != nil {
		return nil, err
	}
	return j.exactly(ctx, sets[j.plan.K], j.plan.Ridge, nil)
}

// byLasso records which groups are taken at every size.
func (p *path) byLasso(ctx context.Context, most int) error {
	sets, err := p.lassoSets(ctx, most)
	for k := 1; err == nil && k <= most; k++ {
		p.sets[k] = sets[k]
	}
	return err
}
