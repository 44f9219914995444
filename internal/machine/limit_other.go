//go:build !(linux || darwin || freebsd)

package machine

func addressSpace() (int64, bool) { return 0, false }

// Files returns 0, because the number of open files is not limited.
func Files() int64 { return 0 }
