package sqlite

import (
	"encoding/binary"
	"math"
	"unicode/utf16"
	"unicode/utf8"
)

// value is a cell of a record.
type value struct {
	how    how
	number float64
	int    int64
	text   []byte
}

// how is the storage class of a value.
type how uint8

const (
	null how = iota
	whole
	real
	text
	blob
)

// values reads the first values of a record, at most len(dst), and returns their number.
func (f *file) values(dst []value, record []byte) (int, error) {
	size, n := varint(record)
	if n == 0 || size > uint64(len(record)) || size < uint64(n) {
		return 0, f.damaged("the header of a row is cut")
	}
	head, body := record[n:size], record[size:]
	count := 0
	for ; len(head) > 0 && count < len(dst); count++ {
		kind, n := varint(head)
		if n == 0 {
			return 0, f.damaged("the header of a row is cut")
		}
		head = head[n:]
		length := sizeOf(kind)
		if length > uint64(len(body)) {
			return 0, f.damaged("a row is cut")
		}
		dst[count] = f.value(kind, body[:length])
		body = body[length:]
	}
	return count, nil
}

// sizeOf returns the number of bytes of a value.
func sizeOf(kind uint64) uint64 {
	if kind >= 12 {
		return (kind - 12) / 2
	}
	return [12]uint64{0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0}[kind]
}

// value reads a value.
func (f *file) value(kind uint64, b []byte) value {
	switch {
	case kind == 0 || kind == 10 || kind == 11:
		return value{}
	case kind <= 6:
		v := int64(int8(b[0]))
		for _, c := range b[1:] {
			v = v<<8 | int64(c)
		}
		return value{how: whole, int: v}
	case kind == 7:
		return value{how: real, number: math.Float64frombits(binary.BigEndian.Uint64(b))}
	case kind <= 9:
		return value{how: whole, int: int64(kind - 8)}
	case kind%2 == 0:
		return value{how: blob}
	}
	return value{how: text, text: f.utf8(b)}
}

// utf8 returns a text in UTF-8.
func (f *file) utf8(b []byte) []byte {
	if f.encoding != utf16le && f.encoding != utf16be {
		return b
	}
	var order binary.ByteOrder = binary.LittleEndian
	if f.encoding == utf16be {
		order = binary.BigEndian
	}
	out := make([]byte, 0, len(b))
	for len(b) > 1 {
		c := rune(order.Uint16(b))
		b = b[2:]
		if utf16.IsSurrogate(c) && len(b) > 1 {
			if pair := utf16.DecodeRune(c, rune(order.Uint16(b))); pair != utf8.RuneError {
				c, b = pair, b[2:]
			}
		}
		out = utf8.AppendRune(out, c)
	}
	return out
}
