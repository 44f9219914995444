package kernel

import "golang.org/x/sys/unix"

// threadSeconds is the time this thread has run, without that of other programs.
func threadSeconds() float64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return float64(t.Sec) + 1e-9*float64(t.Nsec)
}
