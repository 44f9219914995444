package parquet

import (
	"encoding/binary"
	"errors"

	"fsa/internal/format/columnar"
)

// errShort says that the input ends too early.
var errShort = columnar.ErrShort

// maxDepth limits the nesting of structures; those of Parquet have a depth of about 6.
const maxDepth = 32

// skim walks over a structure in Thrift's compact protocol and returns its length. It runs before
// the library's decoder, which allocates what a list claims to contain: after skim, all of it is
// known to exist.
func skim(b []byte) (int, error) {
	s := skimmer{b}
	if err := s.structure(0); err != nil {
		return 0, err
	}
	return len(b) - len(s.rest), nil
}

type skimmer struct{ rest []byte }

// The types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftInt16  = 4
	thriftInt64  = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftStruct = 12
)

func (s *skimmer) skip(n uint64) error {
	if n > uint64(len(s.rest)) {
		return errShort
	}
	s.rest = s.rest[n:]
	return nil
}

func (s *skimmer) uvarint() (uint64, error) {
	v, n := binary.Uvarint(s.rest)
	if n <= 0 {
		return 0, errShort
	}
	s.rest = s.rest[n:]
	return v, nil
}

func (s *skimmer) byte() (byte, error) {
	if len(s.rest) == 0 {
		return 0, errShort
	}
	b := s.rest[0]
	s.rest = s.rest[1:]
	return b, nil
}

func (s *skimmer) structure(depth int) error {
	if depth > maxDepth {
		return errors.New("structures lie too deep within each other")
	}
	for {
		field, err := s.byte()
		if err != nil || field == 0 {
			return err
		}
		if field>>4 == 0 { // the field's number follows instead of its distance
			if _, err := s.uvarint(); err != nil {
				return err
			}
		}
		if kind := field & 15; kind != thriftTrue && kind != thriftFalse { // which take no further byte here
			if err := s.value(kind, depth); err != nil {
				return err
			}
		}
	}
}

func (s *skimmer) value(kind byte, depth int) error {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return s.skip(1)
	case thriftDouble:
		return s.skip(8)
	case thriftBinary:
		n, err := s.uvarint()
		if err != nil {
			return err
		}
		return s.skip(n)
	case thriftList, thriftSet:
		return s.list(depth)
	case thriftStruct:
		return s.structure(depth + 1)
	}
	if kind < thriftInt16 || kind > thriftInt64 {
		return errors.New("a value of unknown type")
	}
	_, err := s.uvarint()
	return err
}

func (s *skimmer) list(depth int) error {
	head, err := s.byte()
	if err != nil {
		return err
	}
	n := uint64(head >> 4)
	if n == 15 {
		if n, err = s.uvarint(); err != nil {
			return err
		}
	}
	if n > uint64(len(s.rest)) { // an element takes at least one byte
		return errShort
	}
	for range n {
		if err := s.value(head&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}
