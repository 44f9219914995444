//go:build linux || darwin || freebsd

package open

import (
	"os"
	"syscall"
)

// temporary returns a file that has no name any more, so that nothing of it is
// left however the program ends.
func temporary() (*os.File, error) {
	f, err := os.CreateTemp("", "fsa-*.tmp")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// freeSpace returns how much can still be written where a file is.
func freeSpace(f *os.File) (int64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
