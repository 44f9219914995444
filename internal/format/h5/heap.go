package h5

import (
	"bytes"
	"encoding/binary"
)

// mostHeaps is the number of collections of texts that are kept in memory.
const mostHeaps = 64

// mostReads is how often a collection is read on average.
const mostReads = 16

// collection returns the texts of the collection at an address.
func (f *File) collection(at uint64) (map[uint32][]byte, error) {
	if all, known := f.collections[at]; known {
		return all, nil
	}
	head, err := f.part(at, 16)
	if err != nil {
		return nil, err
	}
	if !head.starts("GCOL") {
		return nil, f.bad("the texts of a dataset are damaged")
	}
	head.u32()
	c, err := f.part(at+16, int64(head.u64())-16)
	if err != nil {
		return nil, err
	}
	if f.read += int64(len(c.b)); f.read > mostReads*f.size {
		return nil, f.bad("the texts of a dataset are damaged: too many are in several places")
	}
	all := map[uint32][]byte{}
	for len(c.b) >= 16 {
		number := c.u16()
		c.bytes(6)
		n := c.u64()
		if number == 0 { // the rest is free
			break
		}
		if n > uint64(len(c.b)) {
			return nil, f.bad("the texts of a dataset are damaged")
		}
		all[uint32(number)] = c.bytes(int(n))
		c.bytes(min(int(-n&7), len(c.b)))
	}
	if len(f.collections) >= mostHeaps {
		clear(f.collections)
	}
	if f.collections == nil {
		f.collections = map[uint64]map[uint32][]byte{}
	}
	f.collections[at] = all
	return all, nil
}

// texts decodes n texts.
func (f *File) texts(t datatype, raw []byte, n int) ([]string, error) {
	if len(raw)/t.size < n {
		return nil, f.bad("the texts of a dataset are damaged")
	}
	all := make([]string, n)
	left := f.size // texts of a heap are not compressed, and each is in it once
	for i := range all {
		b := raw[i*t.size : (i+1)*t.size]
		if t.class == fixedText {
			all[i] = string(bytes.TrimRight(b, "\x00"))
			continue
		}
		length, at, number := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint64(b[4:]), binary.LittleEndian.Uint32(b[12:])
		if length == 0 || at == 0 {
			continue
		}
		texts, err := f.collection(at)
		if err != nil {
			return nil, err
		}
		found, known := texts[number]
		if left -= int64(length); !known || int(length) > len(found) || left < 0 {
			return nil, f.bad("the texts of a dataset are damaged")
		}
		all[i] = string(found[:length])
	}
	return all, nil
}
