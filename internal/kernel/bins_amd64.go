//go:build !noasm

package kernel

import "math"

// constants returns the constants that the kernels use for codes: the digits of α as a mask and as
// a shift; a number whose last digit has the value of α's; the code of a missing number, by how
// much its upper digits exceed its column, and that column.
func (b *Bins) constants() [6]uint64 {
	k := b.knots()
	column := uint64(k.count + 1)
	return [6]uint64{
		uint64(k.mask), uint64(k.digits), math.Float64bits(math.Ldexp(1, 52-k.digits)),
		MissingCode, uint64(MissingCode>>k.digits) - column, column,
	}
}

// Sizes that the kernels process at once.
const (
	binRows  = 4  // rows of mulBinsAVX2
	octet    = 8  // variables of the AVX-512 kernels, and columns in a register
	binGroup = 16 // rows of mulBins8AVX512
)

// binChunk is the number of rows that mulTBins8AVX512 and similar kernels get at once. They go
// through these rows once for every eight variables, and what they read of them, a cache line each,
// should stay in the first-level cache.
const binChunk = 256

// mulBins gives the first variables to AVX-512, the others to AVX2, and the last one to Go: the
// cell to the right of its last knot may be beyond beta.
func mulBins(z []float64, x []uint16, beta []float64, b Bins) {
	clear(z)
	m := len(b.Offset)
	if !hasAVX2 || m < 2 || len(z) == 0 {
		mulBinsGo(z, x, beta, b)
		return
	}
	c := b.constants()
	n := len(z) - len(z)%binRows
	done := 0 // rows for which AVX-512 has done some variables
	if hasAVX512 && b.Count+2 <= 2*octet && n >= binGroup {
		mul, columns := mulBins8AVX512, octet
		if b.Count+2 > octet {
			mul, columns = mulBins16AVX512, 2*octet
		}
		variables := m - 1
		for variables > 0 && b.Offset[variables-1]+columns > len(beta) {
			variables--
		}
		done = n - n%binGroup
		variables = octets(variables, func(lo, hi, skip int) {
			mul(z[:done], x[lo:], m, b.Offset[lo:hi], skip, beta, &c)
		})
		mulBinsAVX2(z[:done], x[variables:], m, b.Offset[variables:m-1], beta, &c)
	}
	mulBinsAVX2(z[done:n], x[done*m:], m, b.Offset[:m-1], beta, &c)
	mulLastBin(z[:n], x, beta, b)
	mulBinsGo(z[n:], x[n*m:], beta, b)
}

// mulTBins divides the variables as mulBins does.
func mulTBins(g []float64, x []uint16, r []float64, b Bins) {
	m := len(b.Offset)
	if !hasAVX2 || m < 2 || len(r) == 0 {
		mulTBinsGo(g, x, r, b)
		return
	}
	c := b.constants()
	variables := 0
	if hasAVX512 && b.Count+2 <= 2*octet {
		mulT := mulTBins8AVX512
		if b.Count+2 > octet {
			mulT = mulTBins16AVX512
		}
		for lo := 0; lo < len(r); lo += binChunk {
			x, r := x[lo*m:], r[lo:min(lo+binChunk, len(r))]
			variables = octets(m-1, func(lo, hi, skip int) {
				mulT(g, x[lo:], m, b.Offset[lo:hi], skip, r, &c)
			})
		}
	}
	mulTBinsAVX2(g, x[variables:], m, b.Offset[variables:m-1], r, &c)
	mulTLastBin(g, x, r, b)
}

// octets calls f for a multiple of eight of the n variables, and returns how many variables are
// done. If some are left, the last eight are passed once more, with the number of those to skip at
// their beginning.
func octets(n int, f func(lo, hi, skip int)) int {
	whole := n - n%octet
	if whole == 0 {
		return 0
	}
	f(0, whole, 0)
	if whole < n {
		f(n-octet, n, octet-n%octet)
	}
	return n
}
