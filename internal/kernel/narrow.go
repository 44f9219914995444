package kernel

import "math"

// Cells that take less memory than a float32 are read in less time. They become float64 when they
// are loaded, and everything after that is as with float32: the products are those of a float32
// matrix with the same numbers, to the last bit.

// BFloat16 returns the upper half of a float32, rounded to nearest even. The number must be finite
// and not so large that it would round to infinity.
func BFloat16(v float32) uint16 {
	bits := math.Float32bits(v)
	return uint16((bits + 0x7fff + bits>>16&1) >> 16)
}

// MulBFloat16 is [Mul] with cells that are the upper halves of float32 numbers.
func MulBFloat16(z []float64, x []uint16, beta []float64) {
	if len(x) != len(z)*len(beta) {
		panic("kernel: MulBFloat16: x is not of len(z) rows and len(beta) columns")
	}
	mulBFloat16(z, x, beta)
}

// MulTBFloat16 is [MulT] with cells that are the upper halves of float32 numbers.
func MulTBFloat16(g []float64, x []uint16, r []float64) {
	if len(x) != len(r)*len(g) {
		panic("kernel: MulTBFloat16: x is not of len(r) rows and len(g) columns")
	}
	mulTBFloat16(g, x, r)
}

// MulInt8 is [Mul] with small integers.
func MulInt8(z []float64, x []int8, beta []float64) {
	if len(x) != len(z)*len(beta) {
		panic("kernel: MulInt8: x is not of len(z) rows and len(beta) columns")
	}
	mulInt8(z, x, beta)
}

// MulTInt8 is [MulT] with small integers.
func MulTInt8(g []float64, x []int8, r []float64) {
	if len(x) != len(r)*len(g) {
		panic("kernel: MulTInt8: x is not of len(r) rows and len(g) columns")
	}
	mulTInt8(g, x, r)
}
