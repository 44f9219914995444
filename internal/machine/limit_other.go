//go:build !(linux || darwin || freebsd)

package machine

func addressSpace() (int64, bool) { return 0, false }

// Files returns 0: there is no limit on open files.
func Files() int64 { return 0 }
