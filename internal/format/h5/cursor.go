package h5

import (
	"bytes"
	"encoding/binary"
)

// cursor reads numbers one after the other. After the end it returns zeros, and short is set.
type cursor struct {
	b     []byte
	short bool
}

func (c *cursor) bytes(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.b, c.short = nil, true
		return nil
	}
	b := c.b[:n:n]
	c.b = c.b[n:]
	return b
}

// number reads an unsigned number of up to 8 bytes.
func (c *cursor) number(n int) uint64 {
	var to [8]byte
	copy(to[:], c.bytes(n))
	return binary.LittleEndian.Uint64(to[:])
}

func (c *cursor) u8() uint8   { return uint8(c.number(1)) }
func (c *cursor) u16() uint16 { return uint16(c.number(2)) }
func (c *cursor) u32() uint32 { return uint32(c.number(4)) }
func (c *cursor) u64() uint64 { return c.number(8) }

// text reads a text that ends with a zero, or after n bytes.
func (c *cursor) text(n int) string {
	b, _, _ := bytes.Cut(c.bytes(n), []byte{0})
	return string(b)
}

// starts reports whether the next bytes are the signature of a structure, and skips them.
func (c *cursor) starts(signature string) bool {
	return string(c.bytes(len(signature))) == signature
}
