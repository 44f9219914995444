//go:build !noasm

package kernel

// canEvict reports whether the processor has an instruction that evicts a cache line without
// waiting for it, and is of the kind on which eviction was measured.
var canEvict = func() bool {
	const clflushopt = 1 << 23
	most, b, c, d := cpuid(0, 0)
	if most < 7 || b != 0x756e6547 || d != 0x49656e69 || c != 0x6c65746e { // GenuineIntel
		return false
	}
	_, features, _, _ := cpuid(7, 0)
	return features&clflushopt != 0
}()

// processorCaches asks the processor for the sizes of its caches; they are zero if the processor
// does not report them.
func processorCaches() Caches {
	const intel, amd = 4, 0x8000001d // leaves of the same layout
	for _, leaf := range []uint32{intel, amd} {
		if most, _, _, _ := cpuid(leaf&0x80000000, 0); most < leaf {
			continue
		}
		var found Caches
		for sub := range uint32(8) {
			a, b, sets, _ := cpuid(leaf, sub)
			kind, level := a&31, int(a>>5&7)
			if kind == 0 {
				break
			}
			const instructions = 2
			ways, partitions, line := b>>22+1, b>>12&1023+1, b&4095+1
			found.set(level, kind == instructions, int(ways*partitions*line*(sets+1)))
		}
		if found.L2 > 0 {
			return found
		}
	}
	return Caches{}
}
