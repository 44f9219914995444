//go:build !(linux || darwin || freebsd)

package atomicfile

import (
	"os"
	"time"
)

func lock(*os.File) bool { return true }

// Hold always succeeds: this system has no locks of folders.
func Hold(string) (release func(), free bool) { return func() {}, true }

// removeStale removes a file that nobody has written to for a day. This system does not remove open
// files.
func removeStale(path string) {
	if info, err := os.Stat(path); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
		os.Remove(path)
	}
}
