package bench

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// knowsPeak says that the peak memory of a process can be had.
const knowsPeak = true

// peakMemory returns the largest resident size that a process had.
func peakMemory(p *os.ProcessState) int64 {
	return p.SysUsage().(*syscall.Rusage).Maxrss << 10
}

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
