package data

import (
	"context"

	"fsa/internal/parallel"
)

// onAllCores calls f(i) for every i below n.
func onAllCores(n int, f func(i int)) {
	parallel.Do(context.Background(), 0, n, func(_, i int) error { f(i); return nil }) // which cannot fail
}
