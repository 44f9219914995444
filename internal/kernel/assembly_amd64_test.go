//go:build !noasm

package kernel

// inAssembly lists the kernels of each instruction set.
var inAssembly = []implementation{
	{
		name: "AVX-512", has: hasAVX512,
		float32s:  products[float32]{mulAVX512, mulTAVX512},
		bfloat16s: products[uint16]{mulBFloat16AVX512, mulTBFloat16AVX512},
		int8s:     products[int8]{mulInt8AVX512, mulTInt8AVX512},
		float64s:  products[float64]{mulFloat64AVX512, mulTFloat64AVX512},
		fusedRows: mulTMulRowsAVX512,
		fused: func(z []float64, x []float32, beta, g []float64, y []float32, r []float64) {
			mulTMulAVX512(z, x, beta, g, y, r, leastLead, len(z)%3, canEvict && len(z)%8 == 0)
		},
		expNegAbs: expNegAbsAVX512,
		compress:  compressAVX512,
		moments:   momentsAVX512,
		moments4:  moments4AVX512,
		toFloat32: toFloat32AVX512,
		bins:      bothBins,
	},
	{
		name: "AVX2", has: hasAVX2,
		float32s:  products[float32]{mulAVX2, mulTAVX2},
		bfloat16s: products[uint16]{mulBFloat16AVX2, mulTBFloat16AVX2},
		int8s:     products[int8]{mulInt8AVX2, mulTInt8AVX2},
		float64s:  products[float64]{mulFloat64AVX2, mulTFloat64AVX2},
		fusedRows: mulTMulRowsAVX2,
		fused: func(z []float64, x []float32, beta, g []float64, y []float32, r []float64) {
			mulTMulAVX2(z, x, beta, g, y, r, leastLead, len(z)%3, canEvict && len(z)%4 == 0)
		},
		expNegAbs: expNegAbsAVX2,
		moments:   momentsAVX2,
		moments4:  moments4AVX2,
		toFloat32: toFloat32AVX2,
		bins: func(z, g []float64, x []uint16, beta, r []float64, b Bins) {
			avx512 := hasAVX512
			hasAVX512 = false
			bothBins(z, g, x, beta, r, b)
			hasAVX512 = avx512
		},
	},
}

// eachOnThisMachine calls f once with each instruction set of this machine in use.
func eachOnThisMachine(f func(name string)) {
	avx512, avx2 := hasAVX512, hasAVX2
	defer func() { hasAVX512, hasAVX2 = avx512, avx2 }()
	if avx512 {
		f("AVX-512")
	}
	if hasAVX512 = false; avx2 {
		f("AVX2")
	}
	hasAVX2 = false
	f("Go")
}

func bothBins(z, g []float64, x []uint16, beta, r []float64, b Bins) {
	mulBins(z, x, beta, b)
	mulTBins(g, x, r, b)
}
