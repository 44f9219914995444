//go:build linux || darwin || freebsd

package machine

import "golang.org/x/sys/unix"

// addressSpace returns the limit of the address space, or of the data in it.
func addressSpace() (limit int64, limited bool) {
	for _, what := range []int{unix.RLIMIT_AS, unix.RLIMIT_DATA} {
		var r unix.Rlimit
		if unix.Getrlimit(what, &r) == nil && uint64(r.Cur) < 1<<60 {
			limit, limited = least(limit, int64(r.Cur)), true
		}
	}
	return limit, limited
}

// Files returns the maximal number of open files, or 0 if there is no limit.
func Files() int64 {
	var r unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &r) != nil || uint64(r.Cur) > 1<<60 {
		return 0
	}
	return int64(r.Cur)
}
