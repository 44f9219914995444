package bench

import (
	"runtime"
	"time"
)

// bencher is one run of the measurements.
type bencher struct {
	Options
	plan
	dir    string // for files
	buffer int    // bytes that are read to measure bandwidth
	heard  []float64
	report *Report
}

// timed returns the duration of f in seconds, after a garbage collection.
func timed(f func() error) (float64, error) {
	runtime.GC()
	start := time.Now()
	err := f()
	return time.Since(start).Seconds(), err
}
