// Package matlabtest writes MATLAB 5 files for tests.
package matlabtest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
	"slices"
)

// Numbers of the format that tests need: kinds of elements and classes of arrays.
const (
	Int8, Uint8, Int32, Uint32, Double = 1, 2, 5, 6, 9
	Matrix, Compressed                 = 14, 15
	ClassDouble                        = 6
)

// File returns a file of the given elements.
func File(order binary.AppendByteOrder, elements ...[]byte) []byte {
	head := make([]byte, 124)
	copy(head, "MATLAB 5.0 MAT-file")
	b := order.AppendUint16(head, 0x0100)
	b = order.AppendUint16(b, 'M'<<8|'I')
	return slices.Concat(append([][]byte{b}, elements...)...)
}

// Element returns an element, padded to a multiple of eight bytes.
func Element(order binary.AppendByteOrder, kind uint32, body []byte) []byte {
	b := order.AppendUint32(nil, kind)
	b = order.AppendUint32(b, uint32(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, -len(body)&7)...)
}

// Array returns a variable: class and flags, shape, name, and its numbers as
// they are stored.
func Array(order binary.AppendByteOrder, flags uint32, dims []int32, name string, kind uint32, numbers []byte) []byte {
	word := order.AppendUint32(nil, flags)
	var shape []byte
	for _, n := range dims {
		shape = order.AppendUint32(shape, uint32(n))
	}
	return Element(order, Matrix, slices.Concat(
		Element(order, Uint32, append(word, 0, 0, 0, 0)),
		Element(order, Int32, shape),
		Element(order, Int8, []byte(name)),
		Element(order, kind, numbers),
	))
}

// Doubles returns a variable of doubles.
func Doubles(order binary.AppendByteOrder, dims []int32, name string, values ...float64) []byte {
	return Array(order, ClassDouble, dims, name, Double, Float64s(order, values...))
}

// Float64s returns the bytes of numbers.
func Float64s(order binary.AppendByteOrder, values ...float64) []byte {
	var b []byte
	for _, x := range values {
		b = order.AppendUint64(b, math.Float64bits(x))
	}
	return b
}

// Compress returns a variable in compressed form.
func Compress(order binary.AppendByteOrder, variable []byte) []byte {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write(variable)
	w.Close()
	b := order.AppendUint32(nil, Compressed)
	b = order.AppendUint32(b, uint32(packed.Len()))
	return append(b, packed.Bytes()...)
}
