//go:build !noasm

package kernel

// Every arm64 processor has the instructions of these kernels, NEON.

func mul(z []float64, x []float32, beta []float64) { mulNEON(z, x, beta) }

func mulT(g []float64, x []float32, r []float64) { mulTNEON(g, x, r) }

const (
	mulTMulRowsNEON    = 2
	mulTMulColumnsNEON = 32      // below it, most of a row is its tail
	leastLead          = 8 << 10 // bytes of x that are fetched ahead
)

// mulTMul processes as many of the first rows of x and y as it can, and returns their number.
// Nothing is evicted: that was not measured on such a processor.
func mulTMul(z []float64, x []float32, beta, g []float64, y []float32, r []float64, _ bool) int {
	n := min(len(z), len(r))
	n -= n % mulTMulRowsNEON
	if len(beta) < mulTMulColumnsNEON || n == 0 {
		return 0
	}
	mulTMulNEON(z[:n], x, beta, g, y, r, leastLead)
	return n
}

func mulSeveral([]float64, []float32, []float64, int, int, int, int) bool { return false }

func mulTSeveral([]float64, []float32, []float64, int, int, int, int) bool { return false }

func mulBFloat16(z []float64, x []uint16, beta []float64) { mulBFloat16NEON(z, x, beta) }

func mulTBFloat16(g []float64, x []uint16, r []float64) { mulTBFloat16NEON(g, x, r) }

func mulInt8(z []float64, x []int8, beta []float64) { mulInt8NEON(z, x, beta) }

func mulTInt8(g []float64, x []int8, r []float64) { mulTInt8NEON(g, x, r) }

func mulFloat64(z, x, beta []float64) { mulFloat64Go(z, x, beta) }

func mulTFloat64(g, x, r []float64) { mulTFloat64Go(g, x, r) }

func expNegAbs(dst, x []float64) { expNegAbsNEON(dst, x) }

func compress(dst, row []float32, mask []uint16) { compressGo(dst, row, mask) }

func compressFloat64(dst, row []float64, mask []uint8) { compressFloat64Go(dst, row, mask) }

func moments(_, _ []float64, _, _ []float32, _ []uint32, _ []float32) int { return 0 }

func moments4(_, _ []float64, _, _ []float32, _ []uint32, _, _, _, _ []float32) int { return 0 }

func toFloat32([]float32, []float64, []float64, []float64) int { return 0 }

func fetch([]float32, int, int, int) {}

func largest(*[columnStep]float64, []float64) int { return 0 }

func columnToFloat32(*[columnStep]float64, []float32, []float64, float64) int { return 0 }

func mulBins(z []float64, x []uint16, beta []float64, b Bins) {
	clear(z)
	mulBinsGo(z, x, beta, b)
}

func mulTBins(g []float64, x []uint16, r []float64, b Bins) { mulTBinsGo(g, x, r, b) }

// mulNEON is mulGo.
//
//go:noescape
func mulNEON(z []float64, x []float32, beta []float64)

// mulTNEON is mulTGo.
//
//go:noescape
func mulTNEON(g []float64, x []float32, r []float64)

// mulBFloat16NEON is mulBFloat16Go.
//
//go:noescape
func mulBFloat16NEON(z []float64, x []uint16, beta []float64)

// mulTBFloat16NEON is mulTBFloat16Go.
//
//go:noescape
func mulTBFloat16NEON(g []float64, x []uint16, r []float64)

// mulInt8NEON is mulGo.
//
//go:noescape
func mulInt8NEON(z []float64, x []int8, beta []float64)

// mulTInt8NEON is mulTGo.
//
//go:noescape
func mulTInt8NEON(g []float64, x []int8, r []float64)

// mulTMulNEON is mulGo of x and mulTGo of y, for equal numbers of rows, a multiple of
// mulTMulRowsNEON. It fetches x the given number of bytes ahead.
//
//go:noescape
func mulTMulNEON(z []float64, x []float32, beta, g []float64, y []float32, r []float64, ahead int)

// expNegAbsNEON is expNegAbsGo.
//
//go:noescape
func expNegAbsNEON(dst, x []float64)
