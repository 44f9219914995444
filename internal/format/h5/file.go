// Package h5 reads groups, attributes and datasets of HDF5 files, as far as files of AnnData need it: what the library
// writes by default (HDF5 File Format Specification, version 3). Nothing that a file says about sizes and places is
// believed.
package h5

import (
	"bytes"
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
	root uint64 // address of the first group

	// Texts lie in collections: the texts of each by number, by its address.
	collections map[uint64]map[uint32][]byte
	read        int64 // bytes of collections that were read
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
		if offsets, lengths := c.u8(), c.u8(); offsets != 8 || lengths != 8 {
			return nil, f.newer("addresses are not of 8 bytes")
		}
		c.bytes(9 + 4*int(version)) // sizes of trees, which their nodes tell themselves
	case 2, 3:
		if offsets, lengths := c.u8(), c.u8(); offsets != 8 || lengths != 8 {
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
	f.root = c.u64()
	if c.short || base != 0 {
		return nil, f.bad("the start of the file is damaged, or there is something before it")
	}
	return f, nil
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
