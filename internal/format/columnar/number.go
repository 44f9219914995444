package columnar

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Number is a type of stored numbers, little-endian.
type Number uint8

// The kinds of numbers.
const (
	Int8 Number = iota
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Float16
	Float32
	Float64
)

// Size is its number of bytes.
func (n Number) Size() int {
	return [...]int{Int8: 1, Uint8: 1, Int16: 2, Uint16: 2, Int32: 4, Uint32: 4, Int64: 8, Uint64: 8, Float16: 2, Float32: 4, Float64: 8}[n]
}

// Decode fills dst with numbers that are contiguous in src.
func (n Number) Decode(dst []float64, src []byte) {
	little := binary.LittleEndian
	src = src[:len(dst)*n.Size()]
	switch n {
	case Int8:
		for i := range dst {
			dst[i] = float64(int8(src[i]))
		}
	case Uint8:
		for i := range dst {
			dst[i] = float64(src[i])
		}
	case Int16:
		for i := range dst {
			dst[i] = float64(int16(little.Uint16(src[2*i:])))
		}
	case Uint16:
		for i := range dst {
			dst[i] = float64(little.Uint16(src[2*i:]))
		}
	case Int32:
		for i := range dst {
			dst[i] = float64(int32(little.Uint32(src[4*i:])))
		}
	case Uint32:
		for i := range dst {
			dst[i] = float64(little.Uint32(src[4*i:]))
		}
	case Int64:
		for i := range dst {
			dst[i] = float64(int64(little.Uint64(src[8*i:])))
		}
	case Uint64:
		for i := range dst {
			dst[i] = float64(little.Uint64(src[8*i:]))
		}
	case Float16:
		for i := range dst {
			dst[i] = half(little.Uint16(src[2*i:]))
		}
	case Float32:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(little.Uint32(src[4*i:])))
		}
	case Float64:
		if nativeLittle && len(dst) > 0 {
			copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), len(src)), src)
			return
		}
		for i := range dst {
			dst[i] = math.Float64frombits(little.Uint64(src[8*i:]))
		}
	}
}

// nativeLittle reports whether this machine is little-endian.
var nativeLittle = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// half converts an IEEE 754 binary16.
func half(v uint16) float64 {
	exponent, fraction := int(v>>10&31), float64(v&1023)
	x := math.Ldexp(fraction+1024, exponent-25)
	switch {
	case exponent == 0:
		x = math.Ldexp(fraction, -24)
	case exponent == 31 && fraction == 0:
		x = math.Inf(1)
	case exponent == 31:
		x = math.NaN()
	}
	if v>>15 == 1 {
		return -x
	}
	return x
}

// BigEndian converts a signed integer of any length. One of many bytes is rounded more than once,
// which costs one of its 53 bits.
func BigEndian(b []byte) float64 {
	if len(b) == 0 {
		return 0
	}
	v := float64(int8(b[0]))
	for _, next := range b[1:] {
		v = v*256 + float64(next)
	}
	return v
}
