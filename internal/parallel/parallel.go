// Package parallel spreads independent calls over threads.
package parallel

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Do calls do for 0 to n−1 on the given number of threads, 0 meaning one per core, with the number
// of the thread. Calls must not depend on each other, so that the result does not depend on how
// they are distributed. It stops at the first error, which it returns: of several, the one of the
// lowest number that was reached.
//
// A panic of a call is one of Do: it continues when all threads have ended. If the caller prefers a
// panic to the end of the program on missing memory ([debug.SetPanicOnFault]), such as that of a
// mapped file that became shorter, the threads do so, too.
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

// Each calls do, which cannot fail, for 0 to n−1 on all cores.
func Each(n int, do func(i int)) {
	Do(context.Background(), 0, n, func(_, i int) error { do(i); return nil })
}
