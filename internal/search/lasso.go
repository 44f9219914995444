package search

import "context"

// lasso selects the groups at every size by the lasso path. If columns outnumber rows, the lasso may
// select better than annealing.
func lasso(ctx context.Context, p *path, _, most int) error {
	null, err := p.null(ctx)
	if err != nil {
		return err
	}
	sets, err := null.problem.Lasso(ctx, p.table(0), null.Solution, p.Force, most)
	for k := 1; err == nil && k <= most; k++ {
		p.sets[k] = sets[k]
	}
	return err
}
