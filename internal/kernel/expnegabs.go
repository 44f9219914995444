package kernel

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
