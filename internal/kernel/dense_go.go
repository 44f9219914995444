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
func mulGo(z []float64, x []float32, beta []float64) {
	m := len(beta)
	for i := range z {
		row := x[i*m : (i+1)*m]
		var s [lanes]float64
		for j, b := range beta {
			s[j%lanes] = math.FMA(float64(row[j]), b, s[j%lanes])
		}
		for n := lanes / 2; n > 0; n /= 2 {
			for l := range n {
				s[l] += s[l+n]
			}
		}
		z[i] = s[0]
	}
}

// mulTGo computes, for rows of m = len(g) numbers one after the other in x,
//
//	g[j] += Σ_i x[i·m+j]·r[i]
//
// row by row.
func mulTGo(g []float64, x []float32, r []float64) {
	m := len(g)
	for i, ri := range r {
		row := x[i*m : (i+1)*m]
		for j := range g {
			g[j] = math.FMA(float64(row[j]), ri, g[j])
		}
	}
}
