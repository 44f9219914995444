package data

import (
	"context"
	"fmt"
	"slices"

	"fsa/internal/matrix"
)

// Weighted returns the dataset with other weights of its rows, measured anew: what is
// stored is shared. Rows of weight zero do not count, neither in the statistics of
// columns nor in learning, so that this is how a fold of cross-validation learns from
// some of the rows without a copy of them.
func (d *Dataset) Weighted(ctx context.Context, weight []float64) (*Dataset, error) {
	if d.Target == nil || len(weight) != d.rows {
		return nil, fmt.Errorf("data: %d weights for the responses of %d rows", len(weight), d.rows)
	}
	to := *d
	to.Columns = slices.Clone(d.Columns)
	target := *d.Target
	target.Weight = weight
	to.Target = &target
	return &to, to.measure(ctx)
}

// Only returns a dataset that learns from the given rows alone: a copy of them, or of a
// table in a file or on several machines the same table with no weight on the others.
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

// Square returns the mean square of the cells of number variable v, which has a linear
// response.
func (g *Design) Square(v int) float64 {
	c := &g.columns[g.Variables[v]]
	unit, center := g.Units(v)
	sd, mean := c.SD/unit, (c.Mean-center)/unit
	return sd*sd + mean*mean
}
