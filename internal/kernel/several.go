package kernel

// mostSeveral is the largest number of vectors that one read of rows is multiplied by.
const mostSeveral = 5

// MulSeveral is [Mul] of some rows for several vectors, which lie one after the other in beta, with the
// bits of Mul. Their products lie stride apart in z. Where the processor can, each number of x is read
// once for up to five vectors.
func MulSeveral(z []float64, x []float32, beta []float64, rows, vectors, stride int) {
	m := len(beta) / max(vectors, 1)
	if len(beta) != m*vectors || len(x) != rows*m || stride < rows || vectors > 0 && len(z) < (vectors-1)*stride+rows {
		panic("kernel: MulSeveral: x is not of so many rows and as many columns as each vector, or z is too short")
	}
	for v := 0; v < vectors; {
		n := side(vectors - v)
		if rows == 0 || m == 0 || !mulSeveral(z[v*stride:], x, beta[v*m:], m, rows, n, stride) {
			n = 1
			mul(z[v*stride:][:rows], x, beta[v*m:(v+1)*m])
		}
		v += n
	}
}

// MulTSeveral is [MulT] of some rows for several vectors, which lie stride apart in r, with the bits of
// MulT. Their sums lie one after the other in g.
func MulTSeveral(g []float64, x []float32, r []float64, rows, vectors, stride int) {
	m := len(g) / max(vectors, 1)
	if len(g) != m*vectors || len(x) != rows*m || stride < rows || vectors > 0 && len(r) < (vectors-1)*stride+rows {
		panic("kernel: MulTSeveral: x is not of so many rows and as many columns as each vector, or r is too short")
	}
	for v := 0; v < vectors; {
		n := side(vectors - v)
		if rows == 0 || m == 0 || !mulTSeveral(g[v*m:], x, r[v*stride:], m, rows, n, stride) {
			n = 1
			mulT(g[v*m:(v+1)*m], x, r[v*stride:][:rows])
		}
		v += n
	}
}

// side returns how many of some vectors to take at once, so that all reads serve about as many.
func side(vectors int) int {
	reads := (vectors + mostSeveral - 1) / mostSeveral
	return (vectors + reads - 1) / reads
}
