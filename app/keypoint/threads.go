package keypoint

import "runtime"

// threadsOr returns the number of threads: all cores if 0.
func threadsOr(n int) int {
	if n < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}
