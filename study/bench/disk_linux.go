package bench

import (
	"os"

	"golang.org/x/sys/unix"
)

// forget puts a file out of the system's cache. Where that is refused, times
// are those of a cached file.
func forget(path string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	f.Sync()
	unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}
