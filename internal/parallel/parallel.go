// Package parallel spreads independent calls over threads.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls do for 0 to n−1 on the given number of threads, 0 meaning one a
// core, and tells it which thread it is on. Calls must not depend on each other,
// so that the result does not depend on how they are spread. It stops at the
// first error, which it returns: of several, the one of the lowest number that
// was reached.
func Do(ctx context.Context, threads, n int, do func(thread, i int) error) error {
	if threads < 1 {
		threads = runtime.GOMAXPROCS(0)
	}
	var (
		next   atomic.Int64
		failed atomic.Bool
		wg     sync.WaitGroup
	)
	errs := make([]error, n)
	work := func(thread int) {
		for !failed.Load() {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			if errs[i] = ctx.Err(); errs[i] == nil {
				errs[i] = do(thread, i)
			}
			if errs[i] != nil {
				failed.Store(true)
			}
		}
	}
	for thread := 1; thread < min(threads, n); thread++ {
		wg.Go(func() { work(thread) })
	}
	work(0)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// Each calls do for 0 to n−1 on all cores, where nothing can fail.
func Each(n int, do func(i int)) {
	Do(context.Background(), 0, n, func(_, i int) error { do(i); return nil })
}
