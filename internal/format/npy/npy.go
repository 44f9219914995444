// Package npy reads and writes the arrays of NumPy: .npy files, which hold one
// array, and .npz archives, which hold several under names.
//
// An array of two dimensions is a table, one of one dimension is a table of
// one column. The cells may be floating-point numbers, integers or truth
// values of any width and byte order, in C order (row after row) or Fortran
// order (column after column); integers beyond 2⁵³ are rounded to the nearest
// float64. NaN is a missing value and infinity is refused, because no learner
// can use it.
//
// A .npy file that is opened by name is mapped into memory and its rows are
// converted a block at a time, so its size is of no concern. So are the rows
// of a stream in C order. Fortran order ends its first row at the very end of
// the data: a file in that order is read a window at a time, and a stream is held in
// memory as a whole, unless it goes into a file first ([Reader.Spill]).
//
// The bytes after the header must be exactly those that it promises. NumPy
// tolerates more, but a file with more is two arrays saved one after the other
// or a header that does not belong to its data, and neither should be read in
// part without a word. The one exception is a vector with a [Seal] behind it.
package npy

import "bytes"

const (
	magic       = "\x93NUMPY"
	zipMagic    = "PK\x03\x04"
	emptyZip    = "PK\x05\x06"
	blockCells  = 1 << 17 // of a block handed out: 1 MiB of float64
	streamChunk = 1 << 20 // bytes that a stream is read ahead of what it has shown
)

// Sniff reports whether a file that begins with head is a .npy file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// SniffNPZ reports whether a file that begins with head is a zip archive, as
// every .npz file is.
func SniffNPZ(head []byte) bool {
	return bytes.HasPrefix(head, []byte(zipMagic)) || bytes.HasPrefix(head, []byte(emptyZip))
}
