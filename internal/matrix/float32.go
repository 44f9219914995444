package matrix

import "math"

// A float32 has 24 significant bits and a largest value of about 1e38. Data may need more: years
// are 2020±5, and amounts may be 1e300. So a column is stored relative to a typical value if that
// is far from zero, and in units of a power of two if its numbers are very large or very small.
// Tables in memory and in files follow the same rules.

// FarFromZero reports whether numbers between low and high should be stored relative to a typical
// one: whether the typical one is more than four ranges away from zero. Otherwise a float32
// resolves 1e-6 of the range.
func FarFromZero(typical, low, high float64) bool {
	const (
		ranges   = 4
		farthest = 0x1p+960 // above this, differences might overflow
	)
	width := high/ranges - low/ranges // divided first, because the range of the largest numbers overflows
	return math.Abs(typical/ranges) > width*ranges && math.Abs(typical) < farthest
}

// WideExponent is the largest absolute exponent of numbers that are stored in units of one.
const WideExponent = 60

// UnitExponent returns the exponent of the unit, a power of two, in which numbers of up to the
// given size are stored. It is 0 unless they are very large or very small.
func UnitExponent(size float64) int {
	if size == 0 || math.IsInf(size, 0) || size != size {
		return 0
	}
	if e := math.Ilogb(size); max(e, -e) > WideExponent {
		return e
	}
	return 0
}
