// Package npy reads and writes the arrays of NumPy: .npy files, which have one array, and .npz
// archives, which have several with names.
//
// An array of two dimensions is a table, one of one dimension is a table of one column. The cells
// may be floating-point numbers, integers or booleans of any width and byte order, in C order (by
// rows) or Fortran order (by columns); integers beyond 2⁵³ are rounded to the nearest float64. NaN
// is a missing value, and infinity is refused, because no method can use it.
//
// A .npy file that is opened by name is mapped into memory and its rows are converted a block at a
// time, so its size does not matter. The same is true for the rows of a stream in C order. In
// Fortran order, the first row is complete only at the very end of the data: a file in that order
// is read a window at a time, and a stream is held in memory as a whole, unless it is written to a
// file first ([Reader.Spill]).
//
// The bytes after the header must be exactly those that it promises. NumPy tolerates more, but a
// file with more is two arrays saved one after the other or a header that does not belong to its
// data, and neither should be read in part silently. The only exception is a vector followed by a
// [Seal].
package npy

import "bytes"

const (
	magic       = "\x93NUMPY"
	zipMagic    = "PK\x03\x04"
	emptyZip    = "PK\x05\x06"
	blockCells  = 1 << 17 // of a returned block: 1 MiB of float64
	streamChunk = 1 << 20 // bytes that a stream is read ahead
)

// Sniff reports whether a file that begins with head is a .npy file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// SniffNPZ reports whether a file that begins with head is a zip archive, as
// every .npz file is.
func SniffNPZ(head []byte) bool {
	return bytes.HasPrefix(head, []byte(zipMagic)) || bytes.HasPrefix(head, []byte(emptyZip))
}
