package matrix

import "math"

// A float32 has 24 bits and reaches to 1e38. Data has neither limit: years are 2020±5,
// amounts are 1e300. So a column is stored relative to a typical value where that is far
// from zero, and in units of a power of two where its numbers are very large or very
// small. Tables in memory and in files choose both by these rules.

// FarFromZero reports whether numbers between low and high, a typical one of which is
// given, are better stored relative to that: it is more than four ranges away from zero.
// Nearer, a float32 keeps 1e-6 of the range.
func FarFromZero(typical, low, high float64) bool {
	const (
		ranges   = 4
		farthest = 0x1p+960 // beyond, the difference from a number might overflow
	)
	width := high/ranges - low/ranges // parts of it, as the range of the largest numbers overflows
	return math.Abs(typical/ranges) > width*ranges && math.Abs(typical) < farthest
}

// WideExponent bounds the exponents of numbers that are stored in units of one.
const WideExponent = 60

// UnitExponent returns the exponent of the power of two that numbers of up to the given
// size are stored in units of: 0 unless they are very large or very small.
func UnitExponent(size float64) int {
	if size == 0 || math.IsInf(size, 0) || size != size {
		return 0
	}
	if e := math.Ilogb(size); max(e, -e) > WideExponent {
		return e
	}
	return 0
}
