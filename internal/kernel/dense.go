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

// Turn is MulT(g, y, r) and Mul(z, x, beta), with the same bits, for two blocks
// of rows that follow each other: the first is in the cache and the second is
// not, and where it can, memory is read for the one while the other is used.
func Turn(z []float64, x []float32, beta, g []float64, y []float32, r []float64) {
	m := len(beta)
	if len(g) != m || len(x) != len(z)*m || len(y) != len(r)*m {
		panic("kernel: Turn: x and y are not of len(beta) columns and as many rows as z and r")
	}
	n := turn(z, x, beta, g, y, r)
	mulT(g, y[n*m:], r[n:])
	mul(z[n:], x[n*m:], beta)
}
