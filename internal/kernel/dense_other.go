//go:build !amd64

package kernel

func mul(z []float64, x []float32, beta []float64) { mulGo(z, x, beta) }

func mulT(g []float64, x []float32, r []float64) { mulTGo(g, x, r) }

func decay(dst, x []float64) { decayGo(dst, x) }
