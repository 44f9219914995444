package h5

import (
	"encoding/binary"
	"math"
	"slices"
)

// floats decodes numbers.
func (t datatype) floats(to []float64, raw []byte) {
	size := t.size
	if t.big {
		raw = slices.Clone(raw)
		for i := 0; i+size <= len(raw); i += size {
			slices.Reverse(raw[i : i+size])
		}
	}
	for i := range to {
		b := raw[i*size:]
		var bits uint64
		switch size {
		case 1:
			bits = uint64(b[0])
		case 2:
			bits = uint64(binary.LittleEndian.Uint16(b))
		case 4:
			bits = uint64(binary.LittleEndian.Uint32(b))
		case 8:
			bits = binary.LittleEndian.Uint64(b)
		}
		switch {
		case t.class == real && size == 4:
			to[i] = float64(math.Float32frombits(uint32(bits)))
		case t.class == real && size == 8:
			to[i] = math.Float64frombits(bits)
		case t.class == real:
			to[i] = half(uint16(bits))
		case t.signed:
			shift := 64 - 8*size
			to[i] = float64(int64(bits<<shift) >> shift)
		default:
			to[i] = float64(bits)
		}
	}
}

// half returns a number of 16 bits.
func half(bits uint16) float64 {
	sign, exponent, fraction := 1.0, int(bits>>10&31), float64(bits&1023)
	if bits>>15 != 0 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return sign * math.Inf(1)
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}
