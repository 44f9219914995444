package kernel

import "math"

// ExpNegAbs computes
//
//	for i := range dst {
//		dst[i] = math.Exp(-math.Abs(x[i]))
//	}
//
// to within two units in the last place. What would be smaller than about the
// least normal number is zero.
func ExpNegAbs(dst, x []float64) {
	if len(dst) != len(x) {
		panic("kernel: ExpNegAbs: dst and x have different lengths")
	}
	expNegAbs(dst, x)
}

// expNegAbsGo writes exp(−t) as 2ⁿ·exp(r), where |r| ≤ ½·ln 2, and takes the first
// terms of the series of exp(r).
func expNegAbsGo(dst, x []float64) {
	const (
		high  = 0x1.62e42fefa38p-1   // ln 2, of which n times this is exact
		low   = 0x1.ef35793c7673p-45 // the rest of it
		magic = 0x1.8p52 + 1023      // brings an integer to where an exponent is
	)
	for i, v := range x {
		t := math.Abs(v)
		if 709 < t {
			t = 709 // n is 1023 here, for which the exponent below is that of zero
		}
		n := math.RoundToEven(t * math.Log2E)
		r := math.FMA(n, high, -t)
		r = math.FMA(n, low, r)
		sum := inverseFactorials[0]
		for _, c := range inverseFactorials[1:] {
			sum = math.FMA(sum, r, c)
		}
		dst[i] = sum * math.Float64frombits(math.Float64bits(magic-n)<<52)
	}
}

// inverseFactorials are 1/13! to 1/0!.
var inverseFactorials = [...]float64{
	1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
	1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
}
