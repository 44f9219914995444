package main

import (
	"fmt"
	"os"
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
