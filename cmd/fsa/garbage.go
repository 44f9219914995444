package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Garbage that may gather before it is collected: a share of what is in use, but
// not much where that is large. Tables are a few large arrays without pointers, so
// that collecting often costs little, and garbage would take the memory of rows.
const (
	garbagePercent = 25
	garbageBytes   = 32 << 20
	leastPercent   = 1
)

// limitGarbage keeps to these limits from now on. It looks at what is in use
// after every collection, by an object that nobody holds: of 16 bytes, as smaller
// ones are collected together with others.
func limitGarbage() {
	debug.SetGCPercent(garbagePercent)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	now := garbagePercent
	var watch func(*[16]byte)
	watch = func(old *[16]byte) {
		metrics.Read(live)
		if percent := garbageOf(live[0].Value.Uint64()); percent != now {
			now = percent
			debug.SetGCPercent(percent)
		}
		runtime.SetFinalizer(old, watch) // the next collection finds it again
	}
	watch(new([16]byte))
}

// garbageOf returns how many percent of what is in use may be garbage.
func garbageOf(used uint64) int {
	return int(min(garbagePercent, max(100*garbageBytes/max(used, 1), leastPercent)))
}
