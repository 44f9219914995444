// Package panel stores tables in files that are made to be read repeatedly, by the columns that are
// still needed.
//
// A dense table is cut into panels of rows. In a panel the cells of a column are contiguous, so a
// few columns are a few long runs of the file. A sparse table is cut into groups of rows, each a
// compressed matrix of rows that is read as a whole. Every run has a checksum, and so has the
// footer, which has the names of the columns, their texts and their distributions: a fit need not
// read the file once only to measure it.
//
// Numbers are stored as float32, and as float64 in columns that a float32 would not represent well:
// years with a fraction, amounts of 1e50. docs/formats.md describes the layout byte by byte.
package panel

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"unsafe"
)

const (
	magic    = "\x93fsa\r\n\x1a\n" // contains line ends, so that transfers that change them are detected
	endMagic = "\n\x1a\n\rasf\x93"
	version  = 1

	headerBytes  = 24
	trailerBytes = 40
	page         = 4096     // groups begin at multiples of it
	runBytes     = 64 << 10 // longest run: longer ones are not read faster
	groupCells   = 1 << 20  // of a group of sparse rows: 8 MiB

	kindDense  = 0
	kindSparse = 1
)

// The flags of the footer.
const (
	flagNames = 1 << iota
	flagLabels
	flagQueries
	flagOpen
	flagKinds
)

// castagnoli is the polynomial of all checksums: processors compute it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// Sniff reports whether a file that begins with head is one of these.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// header returns the first bytes of a file.
func header(kind uint32) []byte {
	b := append([]byte(nil), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, kind)
	b = binary.LittleEndian.AppendUint32(b, checksum(b))
	return binary.LittleEndian.AppendUint32(b, 0)
}

// little says that this machine stores numbers like the file.
var little = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// number is a type of the numbers in a file.
type number interface {
	float32 | float64 | uint32 | int64
}

// bytesOf returns numbers as the bytes of a file. They share their memory if the machine allows it.
func bytesOf[T number](x []T) []byte {
	size := int(unsafe.Sizeof(*new(T)))
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), size*len(x))
	if !little {
		b = bytes.Clone(b)
		swap(b, size)
	}
	return b
}

// numbers returns the bytes of a file as numbers, which share their memory.
func numbers[T number](b []byte) []T {
	size := int(unsafe.Sizeof(*new(T)))
	if !little {
		swap(b, size)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/size)
}

// swap reverses the bytes of numbers.
func swap(b []byte, size int) {
	for ; len(b) >= size; b = b[size:] {
		for i := range size / 2 {
			b[i], b[size-1-i] = b[size-1-i], b[i]
		}
	}
}

// never is the float64 panel of a column that is never stored as float64.
const never = math.MaxUint32
