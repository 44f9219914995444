package matrix

import (
	"context"
	"slices"
)

// Numbers is a Matrix that the numbers of a dataset can be stored in, as they
// stand in the input, a column for each variable. NaN is a missing number.
type Numbers interface {
	Matrix
	// IsSparse reports whether only nonzero numbers are stored.
	IsSparse() bool
	// Measure adds all rows to the moments of their columns.
	Measure(ctx context.Context, all []Moments, weight func(row int) float64) error
	// Fill returns the numbers with those given for their columns in the place of
	// missing ones: a copy, or with discard where they are.
	Fill(ctx context.Context, with []float32, discard bool) (Matrix, error)
}

// owned returns numbers that may be changed: these, or a copy.
func owned(x []float32, discard bool) []float32 {
	if discard {
		return x
	}
	return slices.Clone(x)
}

// RowReader is a Matrix of numbers whose rows can be looked at as they are stored.
type RowReader interface {
	Matrix
	// Row returns row i, which must not be changed.
	Row(i int) []float32
}
