package kernel

import "math"

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

// mulFloat64Go is mulGo with its partial sums by name, so that compilers keep them in
// registers.
func mulFloat64Go(z, x, beta []float64) {
	m := len(beta)
	for i := range z {
		var s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15 float64
		row, j := x[i*m:(i+1)*m], 0
		for ; j+lanes <= m; j += lanes {
			a, b := row[j:j+lanes:j+lanes], beta[j:j+lanes:j+lanes]
			s0 = math.FMA(a[0], b[0], s0)
			s1 = math.FMA(a[1], b[1], s1)
			s2 = math.FMA(a[2], b[2], s2)
			s3 = math.FMA(a[3], b[3], s3)
			s4 = math.FMA(a[4], b[4], s4)
			s5 = math.FMA(a[5], b[5], s5)
			s6 = math.FMA(a[6], b[6], s6)
			s7 = math.FMA(a[7], b[7], s7)
			s8 = math.FMA(a[8], b[8], s8)
			s9 = math.FMA(a[9], b[9], s9)
			s10 = math.FMA(a[10], b[10], s10)
			s11 = math.FMA(a[11], b[11], s11)
			s12 = math.FMA(a[12], b[12], s12)
			s13 = math.FMA(a[13], b[13], s13)
			s14 = math.FMA(a[14], b[14], s14)
			s15 = math.FMA(a[15], b[15], s15)
		}
		s := [lanes]float64{s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15}
		for l := 0; j < m; l, j = l+1, j+1 {
			s[l] = math.FMA(row[j], beta[j], s[l])
		}
		z[i] = total(&s)
	}
}

func mulTFloat64Go(g, x, r []float64) { mulTGo(g, x, r) }
