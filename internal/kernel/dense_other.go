//go:build (!amd64 && !arm64) || noasm

package kernel

func mul(z []float64, x []float32, beta []float64) { mulGo(z, x, beta) }

func mulT(g []float64, x []float32, r []float64) { mulTGo(g, x, r) }

func mulTMul([]float64, []float32, []float64, []float64, []float32, []float64, bool) int { return 0 }

func mulSeveral([]float64, []float32, []float64, int, int, int, int) bool { return false }

func mulTSeveral([]float64, []float32, []float64, int, int, int, int) bool { return false }

func mulBFloat16(z []float64, x []uint16, beta []float64) { mulBFloat16Go(z, x, beta) }

func mulTBFloat16(g []float64, x []uint16, r []float64) { mulTBFloat16Go(g, x, r) }

func mulInt8(z []float64, x []int8, beta []float64) { mulGo(z, x, beta) }

func mulTInt8(g []float64, x []int8, r []float64) { mulTGo(g, x, r) }

func mulFloat64(z, x, beta []float64) { mulFloat64Go(z, x, beta) }

func mulTFloat64(g, x, r []float64) { mulTFloat64Go(g, x, r) }

func expNegAbs(dst, x []float64) { expNegAbsGo(dst, x) }

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
