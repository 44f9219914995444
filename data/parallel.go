package data

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls f(i) for every i below n, on all cores. What f does must not
// depend on the order.
func parallel(n int, f func(i int)) {
	threads := min(runtime.GOMAXPROCS(0), n)
	var next atomic.Int64
	work := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	var wg sync.WaitGroup
	for range threads - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}
