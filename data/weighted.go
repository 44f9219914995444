package data

import (
	"context"
	"fmt"
	"slices"

	"fsa/internal/matrix"
)

// Weighted returns the dataset with other row weights and new statistics. The stored numbers are
// shared. Rows with weight 0 are ignored in the statistics and in training, so a fold of
// cross-validation can train on some of the rows without copying them.
func (d *Dataset) Weighted(ctx context.Context, weight []float64) (*Dataset, error) {
	if d.Target == nil || len(weight) != d.rows {
		return nil, fmt.Errorf("data: %d weights for the target of %d rows", len(weight), d.rows)
	}
	to := *d
	to.Columns = slices.Clone(d.Columns)
	target := *d.Target
	target.Weight = weight
	to.Target = &target
	return &to, to.measure(ctx)
}

// Only returns a dataset for training on the given rows alone. It is a copy of these rows. For a
// table in a file or on several machines, it is the same table with weight 0 on all other rows.
func (d *Dataset) Only(ctx context.Context, rows []int) (*Dataset, error) {
	if !matrix.Elsewhere(d.numbers) {
		return d.Select(ctx, rows)
	}
	weight := make([]float64, d.rows)
	for _, i := range rows {
		weight[i] = d.rowWeight(i)
	}
	return d.Weighted(ctx, weight)
}

// Square returns the mean square of the cells of numeric variable v, which has a linear
// effect.
func (g *Design) Square(v int) float64 {
	c := &g.columns[g.Variables[v]]
	unit, center := g.Units(v)
	sd, mean := c.SD/unit, (c.Mean-center)/unit
	return sd*sd + mean*mean
}
