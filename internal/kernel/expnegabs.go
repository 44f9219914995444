package kernel

// ExpNegAbs computes
//
//	for i := range dst {
//		dst[i] = math.Exp(-math.Abs(x[i]))
//	}
//
// to within two units in the last place. Results below about the smallest normal number are zero.
func ExpNegAbs(dst, x []float64) {
	if len(dst) != len(x) {
		panic("kernel: ExpNegAbs: dst and x have different lengths")
	}
	expNegAbs(dst, x)
}
