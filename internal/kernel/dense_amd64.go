package kernel

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd _generate && go run . -out ../dense_amd64.s -stubs ../dense_stubs_amd64.go -pkg kernel"

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasBMI2
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

func decay(dst, x []float64) {
	switch {
	case hasAVX512:
		decayAVX512(dst, x)
	case hasAVX2:
		decayAVX2(dst, x)
	default:
		decayGo(dst, x)
	}
}
