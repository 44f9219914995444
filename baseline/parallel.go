package baseline

import (
	"context"

	"fsa/internal/parallel"
)

// each calls f for each of n numbers on the given number of threads, a few numbers per task,
// because calls are short. Each call must write only results of its own number; the result then
// does not depend on the threads.
func each(ctx context.Context, threads, n int, f func(i int)) error {
	const stretch = 16
	return parallel.Do(ctx, threads, (n+stretch-1)/stretch, func(_, s int) error {
		for i := s * stretch; i < min((s+1)*stretch, n); i++ {
			f(i)
		}
		return nil
	})
}
