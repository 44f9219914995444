package baseline

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls f for each of n numbers on the given number of threads, 0
// meaning one a core. Each call must write only what belongs to its number:
// then the result does not depend on the threads.
func parallel(ctx context.Context, threads, n int, f func(i int)) error {
	const stretch = 16 // numbers handed out at a time
	threads = min(cmp.Or(threads, runtime.GOMAXPROCS(0)), (n+stretch-1)/stretch)
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			hi := int(next.Add(stretch))
			if hi-stretch >= n {
				return
			}
			for i := hi - stretch; i < min(hi, n); i++ {
				f(i)
			}
		}
	}
	var wg sync.WaitGroup
	for range threads - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return ctx.Err()
}
