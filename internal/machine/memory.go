// Package machine returns the memory that the program may use: what the machine has, what the
// control group of a container or a batch system allows, and what the program's own limits allow
// (ulimit). Beyond that the system would kill the program or refuse to give more, in both cases
// without a chance to print a useful message.
package machine

import (
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Memory returns the number of bytes that the program may use, 0 if it is unknown.
func Memory() int64 {
	s := system{"/proc", "/sys/fs/cgroup"}
	return least(s.installed(), s.group(), s.allowed())
}

// Share is the part of [Memory] that the program uses by default: the rest is for the system and
// for the unforeseen.
func Share() int64 { return Memory() / 5 * 4 }

// AddressSpace reports that the address space of the program is limited, so that files should not
// be mapped.
var AddressSpace = sync.OnceValue(func() bool {
	_, limited := addressSpace()
	return limited
})

// system is the root of the files in which the system describes itself.
type system struct{ proc, cgroup string }

// least returns the smallest of the numbers that are not 0, or 0.
func least(sizes ...int64) int64 {
	n := int64(0)
	for _, s := range sizes {
		if s > 0 && (n == 0 || s < n) {
			n = s
		}
	}
	return n
}

// installed returns the memory of the machine.
func (s system) installed() int64 { return s.field("meminfo", "MemTotal:") }

// field returns the bytes of a number of kilobytes after a name in a file of /proc.
func (s system) field(file, name string) int64 {
	n := s.number(file, name)
	if n > math.MaxInt64>>10 {
		return 0
	}
	return n << 10
}

// number returns the number after a name in a file of /proc, 0 if there is none.
func (s system) number(file, name string) int64 {
	text, err := os.ReadFile(filepath.Join(s.proc, file))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if number, ok := strings.CutPrefix(line, name); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(number), "kB")), 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}

// group returns the smallest limit of the control groups of the program: its own and those above
// it, in the unified hierarchy or in the older one for memory alone.
func (s system) group() int64 {
	text, err := os.ReadFile(filepath.Join(s.proc, "self/cgroup"))
	if err != nil {
		return 0
	}
	limit := int64(0)
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		root, name := "", "memory.max"
		switch {
		case strings.Contains(","+parts[1]+",", ",memory,"):
			root, name = "memory", "memory.limit_in_bytes"
		case parts[1] != "":
			continue
		}
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			limit = least(limit, s.size(filepath.Join(s.cgroup, root, at, name)))
			if at == "/" {
				break
			}
		}
	}
	return limit
}

// size returns the number of bytes that a file states, 0 if there is none. A number near the
// largest one means that there is no limit.
func (s system) size(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil || n > 1<<60 {
		return 0
	}
	return n
}

// What the program takes of the address space in addition to allocated memory.
const (
	perThread   = 72 << 20 // of a thread: its stack, and a region for the allocations of the C library
	sideThreads = 8        // threads that Go and the file system need in addition to those that compute
	beside      = 128 << 20
	leastHeap   = 256 << 20 // with which a small table can be fitted
)

// allowed returns how much more the limits of the process allow.
func (s system) allowed() int64 {
	limit, limited := addressSpace()
	if !limited {
		return 0
	}
	threads := max(int64(runtime.GOMAXPROCS(0))+sideThreads-s.number("self/status", "Threads:"), 0)
	return max(limit-s.field("self/status", "VmSize:")-beside-threads*perThread, 5<<20) // [Share] leaves something of it
}

// Threads returns how many threads can compute within the limit of the address space, at most as
// many as are wanted. It is an error if there is no space for one. Go ends the program with a stack
// trace if the system refuses memory to a new thread.
func Threads(wanted int) (int, error) {
	limit, limited := addressSpace()
	if !limited {
		return wanted, nil
	}
	s := system{"/proc", ""}
	return threads(wanted, limit, s.field("self/status", "VmSize:"), s.number("self/status", "Threads:"))
}

// threads is [Threads] of a program that uses a part of the address space, with some threads.
func threads(wanted int, limit, used, running int64) (int, error) {
	if used == 0 {
		return wanted, nil // unknown
	}
	fixed := used + max(sideThreads-running, 0)*perThread + beside
	if spare := limit - fixed - leastHeap; spare >= perThread {
		return int(min(int64(wanted), max(spare/2, perThread)/perThread)), nil // half is left for data
	}
	return 0, fmt.Errorf("the address space is limited to %.1f GiB: at least %.1f GiB are needed (ulimit -v)", gib(limit), gib(fixed+leastHeap+perThread)+0.05)
}

func gib(n int64) float64 { return float64(n) / (1 << 30) }
