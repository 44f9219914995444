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
