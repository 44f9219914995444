package h5

// how says where the elements of a dataset are.
type how int

const (
	nowhere how = iota
	compact
	contiguous
	chunked
)

// layout is the place of the elements of a dataset.
type layout struct {
	how    how
	at     uint64
	length int64   // bytes, if they are contiguous
	inside []byte  // elements within the header
	chunk  []int64 // shape of a chunk
}

func (f *File) layout(m *cursor) (l layout, err error) {
	version, class := m.u8(), m.u8()
	if version != 3 && (version != 4 || class == 2) {
		return l, f.newer("a dataset is stored in the form of HDF5 1.10 and later, or before 1.6")
	}
	switch class {
	case 0:
		l.how, l.inside = compact, m.bytes(int(m.u16()))
	case 1:
		l.how, l.at, l.length = contiguous, m.u64(), int64(m.u64())
	case 2:
		l.how = chunked
		rank := int(m.u8()) - 1 // the last is the size of an element
		l.at = m.u64()
		for range rank {
			n := int64(m.u32())
			if n == 0 {
				return l, f.bad("a dataset is damaged")
			}
			l.chunk = append(l.chunk, n)
		}
		m.u32()
	default:
		return l, f.newer("a dataset is stored elsewhere")
	}
	return l, nil
}

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
