package data

import (
	"context"
	"errors"
	"slices"

	"fsa/internal/matrix"
)

// Select returns the given rows as a new dataset with new statistics. All rows of a query must be
// selected together.
func (d *Dataset) Select(ctx context.Context, rows []int) (*Dataset, error) {
	if len(rows) == 0 {
		return nil, errors.New("data: no rows selected")
	}
	to := *d
	to.Columns, to.rows, to.Target, to.texts = slices.Clone(d.Columns), len(rows), nil, nil
	x, err := d.numbers.Select(ctx, rows, nil)
	if err != nil {
		return nil, err
	}
	to.numbers = x.(matrix.Numbers)
	if d.texts != nil {
		to.texts = d.texts.(*matrix.OneHot).Pick(rows, nil)
	}
	if d.Target != nil {
		to.Target = d.Target.Select(rows)
	}
	return &to, to.measure(ctx)
}
