package matrix

import "context"

// Distributed is Numbers whose rows are distributed over processes. All processes call its methods together.
type Distributed interface {
	Numbers
	// Summarize returns, for each column, the result of find for the column's numbers in the listed
	// rows, which are ascending. A result has the given count of numbers, or is nil.
	Summarize(ctx context.Context, rows []int, numbers int, find func(column int, values []float32) []float64) ([][]float64, error)
}
