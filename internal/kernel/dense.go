package kernel

// Mul computes, for rows of len(beta) numbers one after the other in x,
//
//	z[i] = Σ_j x[i·m+j]·beta[j],  m = len(beta)
func Mul(z []float64, x []float32, beta []float64) {
	if len(x) != len(z)*len(beta) {
		panic("kernel: Mul: x is not of len(z) rows and len(beta) columns")
	}
	mul(z, x, beta)
}

// MulT computes, for rows of len(g) numbers one after the other in x,
//
//	g[j] += Σ_i x[i·m+j]·r[i],  m = len(g)
func MulT(g []float64, x []float32, r []float64) {
	if len(x) != len(r)*len(g) {
		panic("kernel: MulT: x is not of len(r) rows and len(g) columns")
	}
	mulT(g, x, r)
}
