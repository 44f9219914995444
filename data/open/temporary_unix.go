//go:build linux || darwin || freebsd

package open

import (
	"os"
	"syscall"

	"fsa/internal/atomicfile"
)

// temporaries says that there are files without a name.
const temporaries = true

// temporary returns a file that has no name.
func temporary() (*os.File, error) { return atomicfile.Temporary(os.TempDir()) }

// freeSpace returns how much can still be written where a file is.
func freeSpace(f *os.File) (int64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
