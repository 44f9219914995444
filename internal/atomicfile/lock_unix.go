//go:build linux || darwin || freebsd

package atomicfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// lock marks a file as being written while it is open. It returns false if a sweep was faster. A
// file system without locks counts as locked.
func lock(f *os.File) bool {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != unix.EWOULDBLOCK
}

// Hold marks a folder as worked in, until release is called or the process ends. It returns false
// if somebody else works in it. A file system without locks is believed to be free.
func Hold(folder string) (release func(), free bool) {
	f, err := os.Open(folder)
	if err != nil {
		return func() {}, true // who writes there will be told
	}
	if !lock(f) {
		f.Close()
		return nil, false
	}
	return func() { f.Close() }, true
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
