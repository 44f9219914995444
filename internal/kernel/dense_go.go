package kernel

import "math"

// lanes is the number of partial sums of a dot product: what fills the
// registers of the widest machine. All others keep the same ones.
const lanes = 16

// mulGo computes, for rows of m = len(beta) numbers one after the other in x,
//
//	z[i] = Σ_j x[i·m+j]·beta[j]
//
// in 16 partial sums of every sixteenth product, which are added by halves.
func mulGo[V float32 | int8](z []float64, x []V, beta []float64) {
	m := len(beta)
	for i := range z {
		row := x[i*m : (i+1)*m]
		var s [lanes]float64
		for j, b := range beta {
			s[j%lanes] = math.FMA(float64(row[j]), b, s[j%lanes])
		}
		z[i] = total(&s)
	}
}

// total adds halves until one number is left.
func total(s *[lanes]float64) float64 {
	for n := lanes / 2; n > 0; n /= 2 {
		for l := range n {
			s[l] += s[l+n]
		}
	}
	return s[0]
}

// mulTGo computes, for rows of m = len(g) numbers one after the other in x,
//
//	g[j] += Σ_i x[i·m+j]·r[i]
//
// row by row.
func mulTGo[V float32 | int8 | float64](g []float64, x []V, r []float64) {
	m := len(g)
	for i, ri := range r {
		row := x[i*m : (i+1)*m]
		for j := range g {
			g[j] = math.FMA(float64(row[j]), ri, g[j])
		}
	}
}
