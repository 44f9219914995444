package motion

import "sync"

// counter returns a function that reports one more finished step of a stage to a log.
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
