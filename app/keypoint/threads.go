package keypoint

import "runtime"

// threadsOr returns n, or the number of cores if n is 0.
func threadsOr(n int) int {
	if n < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}
