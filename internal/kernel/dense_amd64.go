//go:build !noasm

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasFMA
)

func mul(z []float64, x []float32, beta []float64) {
	switch {
	case hasAVX512:
		mulAVX512(z, x, beta)
	case hasAVX2:
		mulAVX2(z, x, beta)
	default:
		mulGo(z, x, beta)
	}
}

func mulT(g []float64, x []float32, r []float64) {
	switch {
	case hasAVX512:
		mulTAVX512(g, x, r)
	case hasAVX2:
		mulTAVX2(g, x, r)
	default:
		mulTGo(g, x, r)
	}
}

// Rows that mulTMul processes at once.
const (
	mulTMulRowsAVX512 = 4
	mulTMulRowsAVX2   = 2
)

// Number of columns from which mulTMul is faster than mulT and mul, according to BenchmarkPass:
// below it, most of a row is a tail under a mask, which AVX2 has to load.
const (
	mulTMulColumnsAVX512 = 16
	mulTMulColumnsAVX2   = 32
)

// How far ahead mulTMul fetches memory, according to BenchmarkPass.
const (
	leastLead = 1536 // bytes ahead in each part of x, at least, in whole rows;
	longRow   = 6000 // rows with more columns would not stay in the cache that long:
	longLead  = 768  // they are fetched this many bytes ahead
)

// leadOf returns how many bytes ahead mulTMul fetches rows of m columns, and for how many rows at
// the end of a part that falls into the next block.
func leadOf(m int) (ahead, last int) {
	if m > longRow {
		return longLead, 0
	}
	rows := (leastLead + 4*m - 1) / (4 * m)
	return 4 * m * rows, rows
}

// mulTMul processes as many of the first rows of x and y as it can, and returns their number.
func mulTMul(z []float64, x []float32, beta, g []float64, y []float32, r []float64, evict bool) int {
	m, n := len(beta), min(len(z), len(r))
	switch {
	case hasAVX512 && m >= mulTMulColumnsAVX512:
		n -= n % mulTMulRowsAVX512
		ahead, last := leadOf(m)
		mulTMulAVX512(z[:n], x, beta, g, y, r, ahead, last, evict && canEvict)
	case !hasAVX512 && hasAVX2 && m >= mulTMulColumnsAVX2:
		n -= n % mulTMulRowsAVX2
		ahead, last := leadOf(m)
		mulTMulAVX2(z[:n], x, beta, g, y, r, ahead, last, evict && canEvict)
	default:
		n = 0
	}
	return n
}

// mulSeveral multiplies rows by 2 to 5 vectors at once, and reports whether it did.
func mulSeveral(z []float64, x []float32, beta []float64, m, rows, vectors, stride int) bool {
	if !hasAVX512 {
		return false
	}
	switch vectors {
	case 2:
		mulSeveral2AVX512(&z[0], &x[0], &beta[0], m, rows, stride)
	case 3:
		mulSeveral3AVX512(&z[0], &x[0], &beta[0], m, rows, stride)
	case 4:
		mulSeveral4AVX512(&z[0], &x[0], &beta[0], m, rows, stride)
	case 5:
		mulSeveral5AVX512(&z[0], &x[0], &beta[0], m, rows, stride)
	default:
		return false
	}
	return true
}

// mulTSeveral adds the products of 2 to 5 vectors at once, and reports whether it did.
func mulTSeveral(g []float64, x []float32, r []float64, m, rows, vectors, stride int) bool {
	if !hasAVX512 {
		return false
	}
	switch vectors {
	case 2:
		mulTSeveral2AVX512(&g[0], &x[0], &r[0], m, rows, stride)
	case 3:
		mulTSeveral3AVX512(&g[0], &x[0], &r[0], m, rows, stride)
	case 4:
		mulTSeveral4AVX512(&g[0], &x[0], &r[0], m, rows, stride)
	case 5:
		mulTSeveral5AVX512(&g[0], &x[0], &r[0], m, rows, stride)
	default:
		return false
	}
	return true
}

func mulBFloat16(z []float64, x []uint16, beta []float64) {
	switch {
	case hasAVX512:
		mulBFloat16AVX512(z, x, beta)
	case hasAVX2:
		mulBFloat16AVX2(z, x, beta)
	default:
		mulBFloat16Go(z, x, beta)
	}
}

func mulTBFloat16(g []float64, x []uint16, r []float64) {
	switch {
	case hasAVX512:
		mulTBFloat16AVX512(g, x, r)
	case hasAVX2:
		mulTBFloat16AVX2(g, x, r)
	default:
		mulTBFloat16Go(g, x, r)
	}
}

func mulInt8(z []float64, x []int8, beta []float64) {
	switch {
	case hasAVX512:
		mulInt8AVX512(z, x, beta)
	case hasAVX2:
		mulInt8AVX2(z, x, beta)
	default:
		mulGo(z, x, beta)
	}
}

func mulTInt8(g []float64, x []int8, r []float64) {
	switch {
	case hasAVX512:
		mulTInt8AVX512(g, x, r)
	case hasAVX2:
		mulTInt8AVX2(g, x, r)
	default:
		mulTGo(g, x, r)
	}
}

func mulFloat64(z, x, beta []float64) {
	switch {
	case hasAVX512:
		mulFloat64AVX512(z, x, beta)
	case hasAVX2:
		mulFloat64AVX2(z, x, beta)
	default:
		mulFloat64Go(z, x, beta)
	}
}

func mulTFloat64(g, x, r []float64) {
	switch {
	case hasAVX512:
		mulTFloat64AVX512(g, x, r)
	case hasAVX2:
		mulTFloat64AVX2(g, x, r)
	default:
		mulTFloat64Go(g, x, r)
	}
}

func expNegAbs(dst, x []float64) {
	switch {
	case hasAVX512:
		expNegAbsAVX512(dst, x)
	case hasAVX2:
		expNegAbsAVX2(dst, x)
	default:
		expNegAbsGo(dst, x)
	}
}

func compress(dst, row []float32, mask []uint16) {
	if hasAVX512 {
		compressAVX512(dst, row, mask)
	} else {
		compressGo(dst, row, mask)
	}
}

func compressFloat64(dst, row []float64, mask []uint8) {
	if hasAVX512 {
		compressFloat64AVX512(dst, row, mask)
	} else {
		compressFloat64Go(dst, row, mask)
	}
}

// moments adds as many of the first cells as it can, and returns their number.
func moments(sum, squares []float64, low, high []float32, missing []uint32, row []float32) int {
	n := len(row) - len(row)%momentsStep
	switch {
	case hasAVX512:
		momentsAVX512(sum, squares, low, high, missing, row[:n])
	case hasAVX2:
		momentsAVX2(sum, squares, low, high, missing, row[:n])
	default:
		n = 0
	}
	return n
}

// moments4 adds as many of the first cells of four rows as it can, and returns their number.
func moments4(sum, squares []float64, low, high []float32, missing []uint32, a, b, c, d []float32) int {
	n := len(a) - len(a)%momentsStep
	switch {
	case n == 0:
	case hasAVX512:
		moments4AVX512(sum, squares, low, high, missing, &a[0], &b[0], &c[0], &d[0], n)
	case hasAVX2:
		moments4AVX2(sum, squares, low, high, missing, &a[0], &b[0], &c[0], &d[0], n)
	default:
		n = 0
	}
	return n
}

// toFloat32 stores as many of the first cells as it can, and returns their number.
func toFloat32(dst []float32, largest, row, shift []float64) int {
	n := len(row) - len(row)%toFloat32Step
	switch {
	case hasAVX512:
		toFloat32AVX512(dst, largest, row[:n], shift)
	case hasAVX2:
		toFloat32AVX2(dst, largest, row[:n], shift)
	default:
		n = 0
	}
	return n
}

// largest looks at as many of the first cells as it can, and returns their number.
func largest(lanes *[columnStep]float64, column []float64) int {
	n := len(column) - len(column)%columnStep
	switch {
	case hasAVX512:
		largestAVX512(lanes, column[:n])
	case hasAVX2:
		largestAVX2(lanes, column[:n])
	default:
		n = 0
	}
	return n
}

// columnToFloat32 stores as many of the first cells as it can, and returns their number.
func columnToFloat32(lanes *[columnStep]float64, dst []float32, column []float64, shift float64) int {
	n := len(column) - len(column)%columnStep
	switch {
	case hasAVX512:
		columnToFloat32AVX512(lanes, dst, column[:n], shift)
	case hasAVX2:
		columnToFloat32AVX2(lanes, dst, column[:n], shift)
	default:
		n = 0
	}
	return n
}

func fetch(to []float32, width, columns, n int) {
	fetchRows((*byte)(unsafe.Pointer(unsafe.SliceData(to))), 4*width, n, 4*columns)
}
