package motion

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls do for 0 to n−1, several at a time, until one fails or the
// context ends. Calls may not depend on each other, so that the result does
// not depend on how they are spread.
func parallel(ctx context.Context, n int, do func(i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// counter returns a function that tells a log of one more step of a stage.
func counter(log func(stage string, done, of int), stage string, of int) func() {
	if log == nil {
		return func() {}
	}
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		log(stage, done, of)
	}
}
