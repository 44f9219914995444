package matrix

import (
	"context"
	"slices"
)

// Numbers is a Matrix that stores the numbers of a dataset as in the input, with one column per
// variable. NaN is a missing number.
type Numbers interface {
	Matrix
	// IsSparse reports whether only nonzero numbers are stored.
	IsSparse() bool
	// Measure adds all rows to the moments of their columns.
	Measure(ctx context.Context, all []Moments, weight func(row int) float64) error
	// Fill returns the numbers with missing ones replaced by the given number of their column: a
	// copy or, with discard, in place.
	Fill(ctx context.Context, with []float32, discard bool) (Matrix, error)
}

// owned returns numbers that may be changed: x itself, or a copy.
func owned(x []float32, discard bool) []float32 {
	if discard {
		return x
	}
	return slices.Clone(x)
}

// RowReader is a Matrix of numbers whose stored rows can be read.
type RowReader interface {
	Matrix
	// Row returns row i, which must not be changed.
	Row(i int) []float32
}
