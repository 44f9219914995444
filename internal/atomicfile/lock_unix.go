//go:build linux || darwin || freebsd

package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock marks a file as being written, as long as it is open. It returns false where
// a sweep was faster. A file system without locks is believed to be fine.
func lock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != unix.EWOULDBLOCK
}

// removeStale removes a file unless somebody has locked it.
func removeStale(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		os.Remove(path)
	}
}
