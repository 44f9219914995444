package kernel

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

// BenchmarkPass compares passes over a table that fits into no cache with reading the same memory:
// the rates of separate MulT and Mul, of MulTMul, and of MulTMul with eviction, each divided by the
// rate of the fastest reader, which is Mul or a plain loop. All take turns every 16 MiB, each time
// at another place, and medians are compared. Blocks are as large as those of a fit.
func BenchmarkPass(b *testing.B) {
	const cells, share = 192 << 20, 4 << 20
	x := make([]float32, cells)
	for i := range x {
		x[i] = float32(i%7) - 3
	}
	eachOnThisMachine(func(name string) {
		for _, m := range []int{30000, 20000, 10000, 1000, 100, 30} {
			b.Run(fmt.Sprintf("%s/M=%d", name, m), func(b *testing.B) {
				comparePasses(b, x, m, share)
			})
		}
	})
}

func comparePasses(b *testing.B, x []float32, m, share int) {
	block := max(4, (128<<10)/(4*m)&^3)
	beta, z := make([]float64, m), make([]float64, block)
	ways := []func(x []float32){
		func(x []float32) { readWords(x) },
		func(x []float32) {
			for lo := range slices.Chunk(x, block*m) {
				Mul(z[:len(lo)/m], lo, beta)
			}
		},
		newPass(m, block, func(z []float64, x []float32, beta, g []float64, y []float32, r []float64) {
			MulT(g, y, r)
			Mul(z, x, beta)
		}),
		newPass(m, block, func(z []float64, x []float32, beta, g []float64, y []float32, r []float64) {
			MulTMul(z, x, beta, g, y, r, false)
		}),
		newPass(m, block, func(z []float64, x []float32, beta, g []float64, y []float32, r []float64) {
			MulTMul(z, x, beta, g, y, r, true)
		}),
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	size := share / m &^ 3 * m
	took := make([][]float64, len(ways))
	next := 0
	for b.Loop() {
		for k, f := range ways {
			at := next % (len(x) / size) * size
			next++
			start := threadSeconds()
			f(x[at : at+size])
			took[k] = append(took[k], threadSeconds()-start)
		}
	}
	median := func(k int) float64 { slices.Sort(took[k]); return took[k][len(took[k])/2] }
	read := min(median(0), median(1))
	b.ReportMetric(0, "ns/op") // that of five passes together means nothing
	b.ReportMetric(4e-9*float64(size)/read, "read-GB/s")
	b.ReportMetric(read/median(2), "apart/read")
	b.ReportMetric(read/median(3), "fused/read")
	b.ReportMetric(read/median(4), "evict/read")
}

// newPass returns a pass over rows of m columns, in blocks that are used twice.
func newPass(m, block int, fused func(z []float64, x []float32, beta, g []float64, y []float32, r []float64)) func(x []float32) {
	beta, g := make([]float64, m), make([]float64, m)
	for j := range beta {
		beta[j] = 1 / float64(j+1)
	}
	z, r := make([]float64, block), make([]float64, block)
	return func(x []float32) {
		var past []float32
		for rows := range slices.Chunk(x, block*m) {
			n := len(rows) / m
			if past == nil {
				Mul(z[:n], rows, beta)
			} else {
				fused(z[:n], rows, beta, g, past, r[:len(past)/m])
			}
			past = rows
			z, r = r, z
		}
		MulT(g, past, r[:len(past)/m])
	}
}

// readWords reads memory with eight independent sums, so that it waits for nothing else.
func readWords(x []float32) uint64 {
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)/2)
	var a, b, c, d, e, f, g, h uint64
	for len(words) >= 8 {
		w := words[:8:8]
		a, b, c, d = a+w[0], b+w[1], c+w[2], d+w[3]
		e, f, g, h = e+w[4], f+w[5], g+w[6], h+w[7]
		words = words[8:]
	}
	return a + b + c + d + e + f + g + h
}
