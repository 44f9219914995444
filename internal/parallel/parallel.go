// Package parallel spreads independent calls over threads.
package parallel

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do calls do for 0 to n−1 on the given number of threads, 0 meaning one a
// core, and tells it which thread it is on. Calls must not depend on each other,
// so that the result does not depend on how they are spread. It stops at the
// first error, which it returns: of several, the one of the lowest number that
// was reached.
//
// A panic of a call is one of Do: it goes on when all threads have ended. Where the
// caller wants one instead of the end of the program when memory is not there
// ([debug.SetPanicOnFault]), as that of a mapped file that became shorter, so do the threads.
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
	var caught panics
	caught.inherit()
	work := func(thread int) {
		defer func() {
			if caught.keep(recover()) {
				failed.Store(true)
			}
		}()
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
		wg.Go(func() {
			debug.SetPanicOnFault(caught.faults)
			work(thread)
		})
	}
	work(0)
	wg.Wait()
	caught.raise()
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
