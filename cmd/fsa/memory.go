package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"

	"github.com/spf13/cobra"

	"fsa/data/open"
	"fsa/internal/machine"
)

// ownBytes is roughly the memory of the program itself, which Go's limit does not count.
const ownBytes = 24 << 20

// limitMemory applies the flag --memory to a command. The default is the share of the machine's
// memory that the program may use, if that is less.
func limitMemory(cmd *cobra.Command, o *open.Options, memory string) (err error) {
	if o.Memory, err = parseSize("memory", memory); err != nil {
		return err
	}
	o.Assumed = !cmd.Flags().Changed("memory")
	if have := machine.Share(); have > 0 && o.Assumed {
		o.Memory = min(o.Memory, have)
	}
	debug.SetMemoryLimit(max(o.Memory-ownBytes, o.Memory/2))
	return nil
}

// peakMemory returns the largest resident size of the program so far, or 0 if the system does not
// report it.
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

// memoryInUse returns the memory that the program has allocated from the system.
func memoryInUse() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// How much garbage may accumulate before a collection: a share of the memory in use, limited if
// that is large. Tables are a few large arrays without pointers, so frequent collections are cheap,
// while garbage would use the memory of rows. Freed memory above a small amount is returned to the
// system; Go by itself would keep a tenth.
const (
	garbagePercent = 25
	garbageBytes   = 32 << 20
	leastPercent   = 1
	idleBytes      = 2 * garbageBytes
)

// limitGarbage applies these limits from now on. After every collection it checks the memory in
// use, by means of an unreachable object with a finalizer. The object has 16 bytes, because smaller
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

// garbageOf returns the percentage of the memory in use that may be garbage.
func garbageOf(used uint64) int {
	return int(min(garbagePercent, max(100*garbageBytes/max(used, 1), leastPercent)))
}
