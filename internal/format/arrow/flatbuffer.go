package arrow

import "encoding/binary"

// flat is a flatbuffer. A lookup outside of it gives zero and marks it as damaged.
type flat struct {
	buf     []byte
	visits  int // number of fields within fields: tables may be shared, so there may be very many
	damaged bool
}

// table is one of its tables; the zero value has no fields.
type table struct {
	*flat
	pos int
}

// list is a vector in it: n elements from pos on.
type list struct {
	*flat
	pos, n int
}

// at returns size bytes.
func (f *flat) at(pos, size int) []byte {
	if pos < 0 || pos > len(f.buf)-size {
		f.damaged = true
		return make([]byte, size)
	}
	return f.buf[pos:][:size]
}

func (f *flat) uint16(pos int) int { return int(binary.LittleEndian.Uint16(f.at(pos, 2))) }

func (f *flat) int32(pos int) int { return int(int32(binary.LittleEndian.Uint32(f.at(pos, 4)))) }

func (f *flat) int64(pos int) int64 { return int64(binary.LittleEndian.Uint64(f.at(pos, 8))) }

// follow returns the target of an offset, which always points forward.
func (f *flat) follow(pos int) int {
	off := f.int32(pos)
	if off <= 0 {
		f.damaged = true
		return len(f.buf)
	}
	return pos + off
}

// root returns the root table of a buffer.
func root(buf []byte) table {
	f := &flat{buf: buf}
	return table{f, f.follow(0)}
}

// field returns the position of a field; 0 if it is left out and has its default.
func (t table) field(i int) int {
	if t.flat == nil {
		return 0
	}
	vtable := t.pos - t.int32(t.pos)
	if 4+2*i >= t.uint16(vtable) {
		return 0
	}
	if off := t.uint16(vtable + 4 + 2*i); off > 0 {
		return t.pos + off
	}
	return 0
}

func (t table) byte(i int) int {
	if p := t.field(i); p > 0 {
		return int(t.at(p, 1)[0])
	}
	return 0
}

func (t table) short(i, otherwise int) int {
	if p := t.field(i); p > 0 {
		return int(int16(t.uint16(p)))
	}
	return otherwise
}

func (t table) int(i, otherwise int) int {
	if p := t.field(i); p > 0 {
		return t.int32(p)
	}
	return otherwise
}

func (t table) long(i int) int64 {
	if p := t.field(i); p > 0 {
		return t.int64(p)
	}
	return 0
}

// table returns the table of a field; an empty one if it is left out.
func (t table) table(i int) table {
	if p := t.field(i); p > 0 {
		return table{t.flat, t.follow(p)}
	}
	return table{}
}

// list returns the vector of a field, whose elements have the given size.
func (t table) list(i, size int) list {
	p := t.field(i)
	if p == 0 {
		return list{}
	}
	p = t.follow(p)
	n := t.int32(p)
	if n < 0 || n > (len(t.buf)-p-4)/size {
		t.damaged = true
		return list{}
	}
	return list{t.flat, p + 4, n}
}

// tableAt returns element i of a vector of tables.
func (l list) tableAt(i int) table { return table{l.flat, l.follow(l.pos + 4*i)} }

// text returns the text of a field.
func (t table) text(i int) string {
	l := t.list(i, 1)
	if l.n == 0 {
		return ""
	}
	return string(l.at(l.pos, l.n))
}
