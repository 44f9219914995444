package gram

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd _generate && go run . -out ../dots_amd64.s -stubs ../dots_stubs_amd64.go -pkg gram"

var (
	hasAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL
	hasAVX2   = cpu.X86.HasAVX2 && cpu.X86.HasFMA
)

func dots(dst *[side * side]float64, a, b []float64, length, stride int) {
	switch {
	case hasAVX512:
		dotsAVX512(&dst[0], &a[0], &b[0], length, stride)
	case hasAVX2:
		const half = side / 2
		var t [half * half]float64
		for i := 0; i < side; i += half {
			for j := 0; j < side; j += half {
				dotsAVX2(&t[0], &a[i*stride], &b[j*stride], length, stride)
				copy(dst[i*side+j:], t[:half])
				copy(dst[(i+1)*side+j:], t[half:])
			}
		}
	default:
		dotsGo(dst, a, b, length, stride)
	}
}
