package kernel

import (
	"math"
	"math/bits"
)

// lanes is the number of partial sums of a dot product: as many as fill the registers of the widest
// machine. All other machines use the same number.
const lanes = 16

// mulGo computes, for rows of m = len(beta) numbers one after another in x,
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

// mulTGo computes, for rows of m = len(g) numbers one after another in x,
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

func compressGo(dst, row []float32, mask []uint16) {
	to := 0
	for i, w := range mask {
		for ; w != 0; w &= w - 1 {
			dst[to] = row[16*i+bits.TrailingZeros16(w)]
			to++
		}
	}
}

func compressFloat64Go(dst, row []float64, mask []uint8) {
	to := 0
	for i, w := range mask {
		for ; w != 0; w &= w - 1 {
			dst[to] = row[8*i+bits.TrailingZeros8(w)]
			to++
		}
	}
}

// expNegAbsGo writes exp(−t) as 2ⁿ·exp(r), where |r| ≤ ½·ln 2, and uses the first terms of the
// series of exp(r).
func expNegAbsGo(dst, x []float64) {
	const (
		high  = 0x1.62e42fefa38p-1   // leading digits of ln 2; n times this is exact
		low   = 0x1.ef35793c7673p-45 // the rest of it
		magic = 0x1.8p52 + 1023      // moves an integer to the place of an exponent
	)
	for i, v := range x {
		t := math.Abs(v)
		if 709 < t {
			t = 709 // n is 1023 here, which makes the exponent below that of zero
		}
		n := math.RoundToEven(t * math.Log2E)
		r := math.FMA(n, high, -t)
		r = math.FMA(n, low, r)
		sum := inverseFactorials[0]
		for _, c := range inverseFactorials[1:] {
			sum = math.FMA(sum, r, c)
		}
		dst[i] = sum * math.Float64frombits(math.Float64bits(magic-n)<<52)
	}
}

// inverseFactorials are 1/13! to 1/0!.
var inverseFactorials = [...]float64{
	1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
	1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
}

// mulFloat64Go is mulGo with named partial sums, so that compilers keep them in registers.
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

// fromBFloat16 returns the number whose upper half is given.
func fromBFloat16(v uint16) float64 {
	return float64(math.Float32frombits(uint32(v) << 16))
}

// mulBFloat16Go is mulGo with cells that are the upper halves of float32 numbers.
func mulBFloat16Go(z []float64, x []uint16, beta []float64) {
	m := len(beta)
	for i := range z {
		row := x[i*m : (i+1)*m]
		var s [lanes]float64
		for j, b := range beta {
			s[j%lanes] = math.FMA(fromBFloat16(row[j]), b, s[j%lanes])
		}
		z[i] = total(&s)
	}
}

// mulTBFloat16Go is mulTGo with cells that are the upper halves of float32 numbers.
func mulTBFloat16Go(g []float64, x []uint16, r []float64) {
	m := len(g)
	for i, ri := range r {
		row := x[i*m : (i+1)*m]
		for j := range g {
			g[j] = math.FMA(fromBFloat16(row[j]), ri, g[j])
		}
	}
}
