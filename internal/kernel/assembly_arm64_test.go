//go:build !noasm

package kernel

// inAssembly lists the kernels of the only instruction set.
var inAssembly = []implementation{{
	name: "NEON", has: true,
	float32s:  products[float32]{mulNEON, mulTNEON},
	bfloat16s: products[uint16]{mulBFloat16NEON, mulTBFloat16NEON},
	int8s:     products[int8]{mulInt8NEON, mulTInt8NEON},
	fusedRows: mulTMulRowsNEON,
	fused: func(z []float64, x []float32, beta, g []float64, y []float32, r []float64) {
		mulTMulNEON(z, x, beta, g, y, r, leastLead)
	},
	expNegAbs: expNegAbsNEON,
}}

// eachOnThisMachine calls f once with each instruction set of this machine in use.
func eachOnThisMachine(f func(name string)) { f("NEON") }
