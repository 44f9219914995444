// Package machine says how much memory there is for the program: what the machine has,
// what the control group allows that a container or a batch system has put it into,
// and what its own limits allow (ulimit). Beyond that the system would kill it or
// refuse to give more, in both cases without a chance to say something useful.
package machine

import (
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// Memory returns how many bytes the program may use, 0 where nothing tells.
func Memory() int64 {
	s := system{"/proc", "/sys/fs/cgroup"}
	return least(s.installed(), s.group(), s.allowed())
}

// Share is the part of [Memory] that the program takes by itself: the rest is for the
// system and for what cannot be foreseen.
func Share() int64 { return Memory() / 5 * 4 }

// AddressSpace reports that the address space of the program is limited, so that files
// had better not be mapped into it.
var AddressSpace = sync.OnceValue(func() bool {
	_, limited := addressSpace()
	return limited
})

// system is where the system tells about itself.
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

// field returns a number of kilobytes that stands behind a name in a file of /proc.
func (s system) field(file, name string) int64 {
	text, err := os.ReadFile(filepath.Join(s.proc, file))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if number, ok := strings.CutPrefix(line, name); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(number), "kB")), 10, 64)
			if err != nil || n > math.MaxInt64>>10 {
				return 0
			}
			return n << 10
		}
	}
	return 0
}

// group returns the least that the control groups allow that the program is in: its own
// and those above it, in the one hierarchy of today or in that of memory alone, which
// was there before.
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

// size returns the number of bytes that a file holds, 0 if it holds none. A number near
// the largest one means that there is no limit.
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

// beside is what threads, libraries and the like may take of an address space besides
// the memory that is asked for.
const beside = 128 << 20

// allowed returns how much more the limits of the process allow.
func (s system) allowed() int64 {
	limit, limited := addressSpace()
	if !limited {
		return 0
	}
	return max(limit-s.field("self/status", "VmSize:")-beside, 5<<20) // of which [Share] leaves something
}
