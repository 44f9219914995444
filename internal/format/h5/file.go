// Package h5 reads groups, attributes and datasets of HDF5 files, as far as files of AnnData need it: what the library
// writes by default (HDF5 File Format Specification, version 3). Nothing that a file says about sizes and places is
// believed.
package h5

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"

	"fsa/data"
)

const magic = "\x89HDF\r\n\x1a\n"

// Sniff reports whether a file begins like an HDF5 file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// none is the address of what does not exist.
const none = math.MaxUint64

// File is an open file.
type File struct {
	r    io.ReaderAt
	size int64
	name string
	heap heaps
	read int64 // bytes of collections of texts that were read
	root *Object
}

// Open opens a file; the name is for messages.
func Open(r io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{r: r, size: size, name: name}
	head, err := f.at(0, min(size, 128))
	if err != nil {
		return nil, err
	}
	c := cursor{b: head}
	if !Sniff(c.bytes(len(magic))) {
		return nil, f.bad("this is not an HDF5 file")
	}
	version := c.u8()
	switch version {
	case 0, 1:
		c.bytes(4)
		if c.u8() != 8 || c.u8() != 8 {
			return nil, f.newer("addresses are not of 8 bytes")
		}
		c.bytes(9 + 4*int(version)) // sizes of trees, which their nodes tell themselves
	case 2, 3:
		if c.u8() != 8 || c.u8() != 8 {
			return nil, f.newer("addresses are not of 8 bytes")
		}
		c.u8()
	default:
		return nil, f.newer("its superblock is of a later version")
	}
	base := c.u64()
	c.bytes(3 * 8)
	if version >= 2 {
		c = cursor{b: head[min(12+3*8, len(head)):]}
	} else {
		c.u64() // the name of the root in its entry
	}
	root := c.u64()
	if c.short || base != 0 {
		return nil, f.bad("the start of the file is damaged, or there is something before it")
	}
	f.root, err = f.object(root)
	return f, err
}

// at reads n bytes from an address.
func (f *File) at(address, n int64) ([]byte, error) {
	if address < 0 || n < 0 || address > f.size || n > f.size-address {
		return nil, f.bad("the file is cut off or damaged")
	}
	b := make([]byte, n)
	if _, err := f.r.ReadAt(b, address); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// part returns a cursor over n bytes at an address.
func (f *File) part(address uint64, n int64) (*cursor, error) {
	b, err := f.at(int64(min(address, math.MaxInt64)), n)
	return &cursor{b: b}, err
}

// rest returns a cursor over at most n bytes from an address to the end of the file.
func (f *File) rest(address uint64, n int64) (*cursor, error) {
	return f.part(address, min(n, max(0, f.size-int64(min(address, math.MaxInt64)))))
}

func (f *File) bad(msg string) error { return &data.Error{File: f.name, Msg: msg} }

// newer is the error of a file in a form that the library writes on request only.
func (f *File) newer(what string) error {
	return f.bad(what + ", which is not read: write the file again, as by anndata.read_h5ad and write_h5ad")
}

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
