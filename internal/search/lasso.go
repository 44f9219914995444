package search

import "context"

// lasso takes groups as the lasso takes them. Where columns outnumber rows, shrinking all
// that compete may choose better than dropping them does.
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
