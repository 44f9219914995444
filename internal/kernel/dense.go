package kernel

// Mul computes z = Xβ, where X has rows of m = len(beta) cells one after another:
//
//	for i := range z {
//		z[i] = 0
//		for j := range beta {
//			z[i] += float64(x[i*m+j]) * beta[j]
//		}
//	}
//
// in the order of mulGo.
func Mul(z []float64, x []float32, beta []float64) {
	if len(x) != len(z)*len(beta) {
		panic("kernel: Mul: x is not of len(z) rows and len(beta) columns")
	}
	mul(z, x, beta)
}

// MulT computes g += Xᵀr, where X has rows of m = len(g) cells one after another:
//
//	for i := range r {
//		for j := range g {
//			g[j] += float64(x[i*m+j]) * r[i]
//		}
//	}
//
// in this order, each product and sum with one rounding.
func MulT(g []float64, x []float32, r []float64) {
	if len(x) != len(r)*len(g) {
		panic("kernel: MulT: x is not of len(r) rows and len(g) columns")
	}
	mulT(g, x, r)
}

// MulTMul fuses MulT of one block of rows with Mul of the next:
//
//	MulT(g, y, r)
//	Mul(z, x, beta)
//
// with the same bits. Y is in the cache and x is not: x is read from memory while the processor
// works on y. If evict is set, rows of y are dropped from the caches after use, if the processor
// can do that: see [Caches.Evict].
func MulTMul(z []float64, x []float32, beta, g []float64, y []float32, r []float64, evict bool) {
	m := len(beta)
	if len(g) != m || len(x) != len(z)*m || len(y) != len(r)*m {
		panic("kernel: MulTMul: x and y are not of len(beta) columns and as many rows as z and r")
	}
	n := mulTMul(z, x, beta, g, y, r, evict)
	mulT(g, y[n*m:], r[n:])
	mul(z[n:], x[n*m:], beta)
}
