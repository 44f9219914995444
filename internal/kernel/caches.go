package kernel

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
)

// Caches holds the sizes of the data caches that a core can use, in bytes.
type Caches struct{ L1, L2, L3 int }

// usualCaches are assumed if neither system nor processor reports them.
var usualCaches = Caches{L1: 32 << 10, L2: 1 << 20, L3: 32 << 20}

// MachineCaches returns the caches of this machine as reported by its system, or else by its
// processor.
var MachineCaches = sync.OnceValue(func() Caches {
	c := cachesOf(os.DirFS("/sys/devices/system/cpu/cpu0/cache"))
	if c.L2 == 0 {
		c = processorCaches()
	}
	if c.L2 == 0 {
		c = usualCaches
	}
	return c
})

// cachesOf reads a folder as Linux has it for each core: one folder per cache, named index0 and so
// on.
func cachesOf(folder fs.FS) Caches {
	var c Caches
	indexes, _ := fs.Glob(folder, "index*")
	for _, index := range indexes {
		text := func(name string) string {
			b, _ := fs.ReadFile(folder, path.Join(index, name))
			return strings.TrimSpace(string(b))
		}
		level, _ := strconv.Atoi(text("level"))
		c.set(level, text("type") == "Instruction", kibibytes(text("size")))
	}
	return c
}

// kibibytes parses sizes such as "1024K" and "1M"; it returns 0 for anything else.
func kibibytes(s string) int {
	digits := strings.TrimRight(s, "KM")
	n, err := strconv.Atoi(digits)
	switch unit := s[len(digits):]; {
	case err != nil:
		return 0
	case unit == "K":
		return n << 10
	case unit == "M":
		return n << 20
	}
	return n
}

// set records the size of the cache of a level.
func (c *Caches) set(level int, instructions bool, bytes int) {
	if instructions {
		return
	}
	switch level {
	case 1:
		c.L1 = bytes
	case 2:
		c.L2 = bytes
	case 3:
		c.L3 = bytes
	}
}

// Evict reports whether MulTMul should evict rows of m float32 numbers after their second use, in a
// table of the given number of bytes.
//
// At that time two blocks of four rows, β and g compete for the second-level cache: 48 bytes per
// column. Half of the rows are no longer needed, but a cache cannot know that and drops what was
// used longest ago: the other half, β and g. According to BenchmarkPass, evicting gains time once
// these fill three quarters of the cache. It drops the rows from all caches, so a table that stays
// in the third level from pass to pass is better left there. No result depends on it.
func (c Caches) Evict(m, table int) bool {
	const blockRows = 4
	inFlight := (2*blockRows*4 + 2*8) * m
	return table > c.L3 && 4*inFlight > 3*c.L2
}
