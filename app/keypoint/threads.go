package keypoint

import "runtime"

// threadsOr returns how many threads are meant: all cores if none are named.
func threadsOr(n int) int {
	if n < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}
