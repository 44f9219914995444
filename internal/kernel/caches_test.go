package kernel

import (
	"testing"
	"testing/fstest"
)

// TestCachesOf reads a folder laid out as on Linux.
func TestCachesOf(t *testing.T) {
	folder := fstest.MapFS{}
	for index, texts := range map[string][3]string{
		"index0": {"1", "Data", "32K"}, "index1": {"1", "Instruction", "64K"},
		"index2": {"2", "Unified", "1024K"}, "index3": {"3", "Unified", "36608K"},
		"index4": {"4", "Unified", "strange"},
	} {
		for i, name := range []string{"level", "type", "size"} {
			folder[index+"/"+name] = &fstest.MapFile{Data: []byte(texts[i] + "\n")}
		}
	}
	if got, want := cachesOf(folder), (Caches{32 << 10, 1 << 20, 36608 << 10}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := cachesOf(fstest.MapFS{}); got != (Caches{}) {
		t.Errorf("an empty folder has %+v", got)
	}
	if got := kibibytes("2M"); got != 2<<20 {
		t.Errorf("2M are %d bytes", got)
	}
}

// TestMachineCaches expects the processor and its system to report the same sizes, if both report
// them.
func TestMachineCaches(t *testing.T) {
	c := MachineCaches()
	if c.L2 <= 0 {
		t.Fatalf("%+v", c)
	}
	if p := processorCaches(); p.L2 != 0 && p.L2 != c.L2 {
		t.Errorf("the processor says %+v, its system %+v", p, c)
	}
}

// TestEvict expects rows to be evicted if two blocks, β and g fill three quarters of the
// second-level cache, and only if the table does not stay in the third level.
func TestEvict(t *testing.T) {
	const large, small = 1 << 30, 8 << 20
	for l2, from := range map[int]int{512 << 10: 8193, 1 << 20: 16385, 2 << 20: 32769} {
		c := Caches{L1: 32 << 10, L2: l2, L3: 32 << 20}
		if !c.Evict(from, large) || c.Evict(from-1, large) {
			t.Errorf("with %d KiB: %v at %d columns, %v at %d", l2>>10, c.Evict(from, large), from, c.Evict(from-1, large), from-1)
		}
		if c.Evict(100*from, small) {
			t.Errorf("with %d KiB: a table of %d MiB is evicted", l2>>10, small>>20)
		}
	}
}
