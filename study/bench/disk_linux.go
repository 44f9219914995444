package bench

import (
	"os"

	"golang.org/x/sys/unix"
)

// forget removes a file from the system's cache. If the system refuses, times are those of a cached
// file.
func forget(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	f.Sync()
	unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}

// freeSpace returns the number of bytes that can still be written to a folder, −1 if it is unknown.
func freeSpace(dir string) int64 {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return -1
	}
	return int64(s.Bavail) * s.Bsize
}
