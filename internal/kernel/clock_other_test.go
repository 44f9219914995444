//go:build !linux

package kernel

import "time"

var started = time.Now()

// threadSeconds is the wall-clock time.
func threadSeconds() float64 { return time.Since(started).Seconds() }
