//go:build !(linux || darwin || freebsd)

package atomicfile

import (
	"os"
	"time"
)

func lock(*os.File) bool { return true }

// removeStale removes a file that nobody has written for a day. Here one that is open
// cannot be removed.
func removeStale(path string) {
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
		os.Remove(path)
	}
}
