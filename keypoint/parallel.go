package keypoint

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// threadsOr returns how many threads are meant: all cores if none are named.
func threadsOr(n int) int {
	if n < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// parallel calls do for 0 to n−1 on the given number of threads, and tells it
// which thread it is on. It stops at the first error, which it returns: of
// several, the one of the lowest number that was reached.
func parallel(ctx context.Context, threads, n int, do func(thread, i int) error) error {
	var (
		next   atomic.Int64
		failed atomic.Bool
		wg     sync.WaitGroup
	)
	errs := make([]error, n)
	for thread := range min(threads, n) {
		wg.Go(func() {
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
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
