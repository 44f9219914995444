package h5

import (
	"math"
)

// space is the shape of a dataset or an attribute.
type space struct{ dims []int64 }

// mostRank is the largest number of dimensions.
const mostRank = 32

func (f *File) space(m *cursor) (space, error) {
	version, rank := m.u8(), int(m.u8())
	switch version {
	case 1:
		m.bytes(6)
	case 2:
		m.bytes(2)
	default:
		return space{}, f.newer("the shape of a dataset is of a later version")
	}
	if rank > mostRank {
		return space{}, f.bad("a dataset has too many dimensions")
	}
	var s space
	for range rank {
		n := m.u64()
		if n > math.MaxInt32*1024 {
			return space{}, f.bad("a dataset is too large")
		}
		s.dims = append(s.dims, int64(n))
	}
	return s, nil
}

// cells returns the number of elements; −1 if there are too many to count.
func (s space) cells() int64 {
	n := int64(1)
	for _, d := range s.dims {
		if d > 0 && n > math.MaxInt64/64/d {
			return -1
		}
		n *= d
	}
	return n
}

// class is what the elements of a dataset are.
type class int

const (
	other class = iota
	whole
	real
	fixedText
	text // of any length, in a heap
	reference
)

// datatype is the type of an element.
type datatype struct {
	class  class
	size   int
	signed bool
	big    bool // bytes are in the order of big-endian machines
}

func (f *File) datatype(m *cursor, depth int) (datatype, error) {
	head := m.u8()
	bits := m.number(3)
	t := datatype{size: int(m.u32())}
	if t.size < 1 || t.size > 1<<20 || depth > 4 {
		return t, f.bad("a type is damaged")
	}
	switch head & 15 {
	case 0:
		t.class, t.big, t.signed = whole, bits&1 != 0, bits&8 != 0
		if low, precision := m.u16(), int(m.u16()); low != 0 || precision != 8*t.size || t.size&(t.size-1) != 0 || t.size > 8 {
			t.class = other
		}
	case 1:
		t.class, t.big = real, bits&1 != 0
		m.bytes(12)
		if t.size != 2 && t.size != 4 && t.size != 8 || bits&0x40 != 0 {
			t.class = other
		}
	case 3:
		t.class = fixedText
	case 7:
		t.class = reference
	case 8: // names of whole numbers, such as of truth values
		base, err := f.datatype(m, depth+1)
		if base.size != t.size {
			base.class, base.size = other, t.size
		}
		m.bytes(len(m.b))
		return base, err
	case 9:
		if bits&15 == 1 {
			t.class = text
		}
		if t.size != 16 {
			t.class = other
		}
		m.bytes(len(m.b))
	}
	return t, nil
}
