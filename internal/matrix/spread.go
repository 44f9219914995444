package matrix

import "context"

// Spread is Numbers whose rows are distributed over processes. All processes call its methods together.
type Spread interface {
	Numbers
	// Summarize returns of each column what find makes of the numbers that the listed rows, ascending, have there: so
	// many numbers, or nil.
	Summarize(ctx context.Context, rows []int, numbers int, find func(column int, values []float32) []float64) ([][]float64, error)
}
