package data

import (
	"context"
	"slices"
)

// numbers is a Matrix that the numbers of a dataset can be stored in, as they
// stand in the input, a column for each variable. What depends on how they are
// stored are its methods.
type numbers interface {
	Matrix
	// isSparse reports whether only nonzero numbers are stored.
	isSparse() bool
	// measure adds all rows to the moments of their columns.
	measure(ctx context.Context, all []moments, weight func(row int) float64) error
	// fill returns the numbers with the mean of their column in the place of
	// missing ones: a copy, or with discard where they are.
	fill(ctx context.Context, mean []float32, discard bool) (Matrix, error)
	// bin returns some of the variables in bins. With discard they are not needed
	// any more.
	bin(ctx context.Context, b *binning, discard bool) (Matrix, error)
}

var (
	_ numbers = (*Dense)(nil)
	_ numbers = (*Sparse)(nil)
	_ numbers = (*Bytes)(nil)
	_ numbers = (*File)(nil)
	_ numbers = (*SparseFile)(nil)
)

// owned returns numbers that may be changed: these, or a copy.
func owned(x []float32, discard bool) []float32 {
	if discard {
		return x
	}
	return slices.Clone(x)
}
