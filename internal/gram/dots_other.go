//go:build !amd64

package gram

func dots(dst *[side * side]float64, a, b []float64, length, stride int) {
	dotsGo(dst, a, b, length, stride)
}
