package kernel

// MulFloat64 is [Mul] for cells in double precision.
func MulFloat64(z, x, beta []float64) {
	if len(x) != len(z)*len(beta) {
		panic("kernel: MulFloat64: x is not of len(z) rows and len(beta) columns")
	}
	mulFloat64(z, x, beta)
}

// MulTFloat64 is [MulT] for cells in double precision.
func MulTFloat64(g, x, r []float64) {
	if len(x) != len(r)*len(g) {
		panic("kernel: MulTFloat64: x is not of len(r) rows and len(g) columns")
	}
	mulTFloat64(g, x, r)
}
