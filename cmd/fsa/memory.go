package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
)

// peakMemory returns the largest resident size that the program has had, 0 where
// the system does not tell.
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kb int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	return 0
}

// memoryInUse returns what the program has from the system.
func memoryInUse() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// Garbage that may gather before it is collected: a share of what is in use, but
// not much where that is large. Tables are a few large arrays without pointers, so
// that collecting often costs little, and garbage would take the memory of rows.
// Where more than a little of what was used is not any more, it goes back to the
// system, of which Go by itself would keep a tenth.
const (
	garbagePercent = 25
	garbageBytes   = 32 << 20
	leastPercent   = 1
	idleBytes      = 2 * garbageBytes
)

// limitGarbage keeps to these limits from now on. It looks at what is in use
// after every collection, by an object that nobody holds: of 16 bytes, as smaller
// ones are collected together with others.
func limitGarbage() {
	debug.SetGCPercent(garbagePercent)
	heap := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	now := garbagePercent
	var watch func(*[16]byte)
	watch = func(old *[16]byte) {
		metrics.Read(heap)
		live, held := heap[0].Value.Uint64(), uint64(0)
		for _, m := range heap[1:] {
			held += m.Value.Uint64()
		}
		if percent := garbageOf(live); percent != now {
			now = percent
			debug.SetGCPercent(percent)
		}
		if held > live+idleBytes {
			debug.FreeOSMemory()
		}
		runtime.SetFinalizer(old, watch) // the next collection finds it again
	}
	watch(new([16]byte))
}

// garbageOf returns how many percent of what is in use may be garbage.
func garbageOf(used uint64) int {
	return int(min(garbagePercent, max(100*garbageBytes/max(used, 1), leastPercent)))
}
