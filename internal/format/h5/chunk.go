package h5

// place is a stored chunk.
type place struct {
	at   uint64
	size int64
	skip uint32 // filters that were not used, a bit for each
}

// chunks finds the chunks of a dataset, in the order of their positions. All of them must be stored.
func (o *Object) chunks(grid []int64) ([]place, error) {
	total := int64(1)
	for _, n := range grid {
		if n < 1 || n > o.f.size/total { // each is named by some bytes of a tree
			return nil, o.f.bad("a dataset is not complete: some of its chunks are missing")
		}
		total *= n
	}
	left := o.f.size // chunks do not overlap
	found := map[int64]place{}
	rank := len(grid)
	err := o.f.leaves(o.layout.at, 1, 8+8*(rank+1), func(key []byte, child uint64) error {
		c := cursor{b: key}
		p := place{size: int64(c.u32()), skip: c.u32(), at: child}
		index := int64(0)
		for d := range rank {
			offset := c.u64()
			if offset%uint64(o.layout.chunk[d]) != 0 || offset/uint64(o.layout.chunk[d]) >= uint64(grid[d]) {
				return o.f.bad("a dataset is damaged: a chunk is outside of it")
			}
			index = index*grid[d] + int64(offset/uint64(o.layout.chunk[d]))
		}
		if left -= p.size; left < 0 {
			return o.f.bad("a dataset is damaged: its chunks are larger than the file")
		}
		found[index] = p
		return nil
	})
	if err != nil {
		return nil, err
	}
	if int64(len(found)) != total {
		return nil, o.f.bad("a dataset is not complete: some of its chunks are missing")
	}
	all := make([]place, total)
	for i, p := range found {
		all[i] = p
	}
	return all, nil
}

// unpacked reads a chunk whose elements take a number of bytes.
func (o *Object) unpacked(p place, want int64) ([]byte, error) {
	if want > mostRatio*max(p.size, 1) {
		return nil, o.f.bad("a chunk of a dataset is damaged")
	}
	b, err := o.f.at(int64(min(p.at, none>>1)), p.size)
	if err != nil {
		return nil, err
	}
	return o.f.undo(o.filters, p.skip, b, want)
}
