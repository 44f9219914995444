package arrow

import "encoding/binary"

// made is a flatbuffer that is being written, from its root to its leaves: a place that refers to something later is
// filled in when that is written.
type made struct{ b []byte }

// newMade returns a buffer whose first place is to refer to its root.
func newMade() *made { return &made{make([]byte, 4)} }

func (f *made) align(n int) {
	for len(f.b)%n != 0 {
		f.b = append(f.b, 0)
	}
}

// table adds a table with fields of the given sizes in bytes, 0 for one that is left out, and returns its place and
// those of its fields, which are zero.
func (f *made) table(sizes ...int) (start int, fields []int) {
	head := 4 + 2*len(sizes)
	for (len(f.b)+head)%8 != 0 {
		f.b = append(f.b, 0)
	}
	start = len(f.b) + head
	at, slots := 4, make([]int, len(sizes))
	for i, n := range sizes {
		if n > 0 {
			at = (at + n - 1) / n * n
			slots[i] = at
			at += n
		}
		fields = append(fields, start+slots[i])
	}
	f.b = binary.LittleEndian.AppendUint16(f.b, uint16(head))
	f.b = binary.LittleEndian.AppendUint16(f.b, uint16(at))
	for _, slot := range slots {
		f.b = binary.LittleEndian.AppendUint16(f.b, uint16(slot))
	}
	f.b = binary.LittleEndian.AppendUint32(f.b, uint32(head))
	f.b = append(f.b, make([]byte, at-4)...)
	return start, fields
}

// refer makes a place refer to a later one.
func (f *made) refer(from, to int) {
	binary.LittleEndian.PutUint32(f.b[from:], uint32(to-from))
}

// vector adds a vector of n elements, which are zero, with an alignment, and returns its place.
func (f *made) vector(size, align, n int) int {
	for (len(f.b)+4)%align != 0 || len(f.b)%4 != 0 {
		f.b = append(f.b, 0)
	}
	start := len(f.b)
	f.b = binary.LittleEndian.AppendUint32(f.b, uint32(n))
	f.b = append(f.b, make([]byte, size*n)...)
	return start
}

// longs adds a vector of structures of as many whole numbers.
func (f *made) longs(each int, v []int64) int {
	start := f.vector(8*each, 8, len(v)/each)
	for i, x := range v {
		binary.LittleEndian.PutUint64(f.b[start+4+8*i:], uint64(x))
	}
	return start
}

// text adds a text.
func (f *made) text(s string) int {
	start := f.vector(1, 4, len(s))
	copy(f.b[start+4:], s)
	f.b = append(f.b, 0)
	return start
}
