package data

import (
	"context"
	"fmt"
)

// FromRows returns a dataset of dense rows. x holds len(y)×cols numbers, row after row, with NaN
// for missing values. names may be nil. x is copied; y is used as the target without a copy. For
// weights, queries and texts use a [Builder].
func FromRows(names []string, cols int, x, y []float64) (*Dataset, error) {
	if len(y) == 0 || cols == 0 || len(x) != len(y)*cols {
		return nil, fmt.Errorf("data: %d numbers for %d rows of %d columns", len(x), len(y), cols)
	}
	if names != nil && len(names) != cols {
		return nil, fmt.Errorf("data: %d names for %d columns", len(names), cols)
	}
	b := NewBuilder("rows", &Schema{Width: cols, Names: names}, Roles{TargetVector: &Vector{Values: y}})
	if err := b.Add(&Block{Rows: len(y), Dense: x}); err != nil {
		return nil, err
	}
	return b.Dataset(context.Background())
}
