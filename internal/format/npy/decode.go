package npy

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unsafe"
)

// number is a cell type that Go can convert by itself.
type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// decoder converts the bytes of cells to float64.
type decoder struct {
	cell Type
	swap bool     // the byte order differs from the machine's
	buf  []uint64 // for cells that must be copied to be viewed
}

func newDecoder(h *Header) *decoder {
	native := binary.NativeEndian.Uint16([]byte{0, 1}) == 1 // true on big-endian machines
	return &decoder{cell: h.Type, swap: h.Big != native && h.Type.Size() > 1}
}

// decode converts src, which has len(dst) cells, and returns the position of the first infinite
// one, or -1.
func (d *decoder) decode(dst []float64, src []byte) int {
	src = d.settle(src)
	switch d.cell {
	case Bool:
		for i, v := range view[uint8](src) {
			dst[i] = 0
			if v != 0 {
				dst[i] = 1
			}
		}
	case Int8:
		convert[int8](dst, src)
	case Int16:
		convert[int16](dst, src)
	case Int32:
		convert[int32](dst, src)
	case Int64:
		convert[int64](dst, src)
	case Uint8:
		convert[uint8](dst, src)
	case Uint16:
		convert[uint16](dst, src)
	case Uint32:
		convert[uint32](dst, src)
	case Uint64:
		convert[uint64](dst, src)
	case Float16:
		for i, v := range view[uint16](src) {
			dst[i] = half(v)
		}
		return infinite(dst)
	case Float32:
		convert[float32](dst, src)
		return infinite(dst)
	case Float64:
		convert[float64](dst, src)
		return infinite(dst)
	}
	return -1
}

// settle returns the cells of src aligned and in the machine's byte order: src itself if it already
// is, as it nearly always is.
func (d *decoder) settle(src []byte) []byte {
	size := d.cell.Size()
	if !d.swap && uintptr(unsafe.Pointer(unsafe.SliceData(src)))%uintptr(size) == 0 {
		return src
	}
	if words := (len(src) + 7) / 8; len(d.buf) < words {
		d.buf = make([]uint64, words)
	}
	moved := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(d.buf))), len(src))
	copy(moved, src)
	if d.swap {
		reverse(moved, size)
	}
	return moved
}

// reverse reverses the bytes of each cell.
func reverse(src []byte, size int) {
	switch size {
	case 2:
		for cells, i := view[uint16](src), 0; i < len(cells); i++ {
			cells[i] = bits.ReverseBytes16(cells[i])
		}
	case 4:
		for cells, i := view[uint32](src), 0; i < len(cells); i++ {
			cells[i] = bits.ReverseBytes32(cells[i])
		}
	case 8:
		for cells, i := view[uint64](src), 0; i < len(cells); i++ {
			cells[i] = bits.ReverseBytes64(cells[i])
		}
	}
}

// view returns the cells in b, which must be aligned for them. It is the only place that views
// bytes as numbers; nothing is copied.
func view[T number](b []byte) []T {
	var cell T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(cell)))
}

func convert[T number](dst []float64, src []byte) {
	cells := view[T](src)
	dst = dst[:len(cells)]
	for i, v := range cells {
		dst[i] = float64(v)
	}
}

// infinite returns the position of the first infinite cell, or -1. All cells pass here, so it
// compares bits (without the sign) once instead of numbers twice.
func infinite(cells []float64) int {
	for i, v := range cells {
		if math.Float64bits(v)<<1 == 0x7ff<<53 {
			return i
		}
	}
	return -1
}

// half converts an IEEE 754 binary16: a sign, 5 bits of exponent with a bias
// of 15, 10 bits of fraction. A float64 has 11 with a bias of 1023, and 52.
func half(v uint16) float64 {
	sign, exponent, fraction := uint64(v>>15), uint64(v>>10&31), uint64(v&1023)
	switch exponent {
	case 0: // no implicit leading bit
		return math.Float64frombits(sign<<63 | math.Float64bits(float64(fraction)*0x1p-24))
	case 31: // infinity and NaN
		exponent = 2047 - 1023 + 15
	}
	return math.Float64frombits(sign<<63 | (exponent-15+1023)<<52 | fraction<<42)
}
