package keypoint

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// freeMemory returns how many bytes the machine can spare, 0 where it does not
// tell.
func freeMemory() int64 {
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
