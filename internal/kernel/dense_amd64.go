//go:build !noasm

package kernel

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd _generate && go run . -out ../dense_amd64.s -stubs ../dense_stubs_amd64.go -pkg kernel"

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

// Rows of mulTMul. Short ones are not worth it, and the memory that the next four
// rows lie in is fetched while these are used, unless that is too much to wait in
// the cache: then it is fetched shortly before.
const (
	shortRow  = 128 // columns; mul and mulT know it, too
	longRow   = 6000
	shortLead = 768 // bytes
)

// mulTMul does as many of the first rows of x and y as it can, and returns their
// number.
func mulTMul(z []float64, x []float32, beta, g []float64, y []float32, r []float64) int {
	m := len(beta)
	if !hasAVX512 || m < shortRow {
		return 0
	}
	ahead := 4 * 4 * m
	if m > longRow {
		ahead = shortLead
	}
	n := min(len(z), len(r)) &^ 3
	for i := 0; i < n; i += 4 {
		mulTMulAVX512(&z[i], &x[i*m], beta, &g[0], &y[i*m], &r[i], ahead)
	}
	return n
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
