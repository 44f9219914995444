//go:build linux || darwin || freebsd

package open

import (
	"os"
	"syscall"

	"fsa/internal/atomicfile"
)

// temporaries says that files without a name are possible.
const temporaries = true

// temporary returns a file that has no name.
func temporary() (*os.File, error) { return atomicfile.Temporary(os.TempDir()) }

// freeSpace returns how much can still be written to the file system of a file.
func freeSpace(f *os.File) (int64, bool) {
	var s syscall.Statfs_t
	if err := syscall.Fstatfs(int(f.Fd()), &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
