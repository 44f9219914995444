package keypoint

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"fsa/internal/machine"
)

// freeMemory returns how many bytes the machine has free and the program may use, or 0 if this is
// unknown.
func freeMemory() int64 {
	spare, share := spareMemory(), machine.Share()
	if spare == 0 || share == 0 {
		return max(spare, share)
	}
	return min(spare, share)
}

func spareMemory() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if text, ok := strings.CutPrefix(s.Text(), "MemAvailable:"); ok {
			if n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(text, "kB")), 10, 64); err == nil {
				return n << 10
			}
		}
	}
	return 0
}
