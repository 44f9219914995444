package paged

import "math/bits"

// Finder finds numbers in an ascending list. Its pages have a bit for each possible number: most
// columns of a wide table may not be in the list.
type Finder []*[finderWords]finderWord

// finderWord represents 64 numbers.
type finderWord struct {
	has    uint64
	before uint32 // number of list entries before them
}

const (
	finderBits  = 10 // bits of the index of a number in its page
	finderWords = 1 << finderBits / 64
)

// NewFinder returns a finder of the numbers of an ascending list.
func NewFinder(list []int) Finder {
	if len(list) == 0 {
		return nil
	}
	f := make(Finder, list[len(list)-1]>>finderBits+1)
	for at, j := range list {
		page := j >> finderBits
		if f[page] == nil {
			f[page] = new([finderWords]finderWord)
		}
		w := &f[page][j>>6%finderWords]
		if w.has == 0 {
			w.before = uint32(at)
		}
		w.has |= 1 << (j % 64)
	}
	return f
}

// Find returns the index of j in the list, or −1.
func (f Finder) Find(j uint32) int {
	page := int(j >> finderBits)
	if page >= len(f) || f[page] == nil {
		return -1
	}
	w, bit := &f[page][j>>6%finderWords], uint64(1)<<(j%64)
	if w.has&bit == 0 {
		return -1
	}
	return int(w.before) + bits.OnesCount64(w.has&(bit-1))
}
