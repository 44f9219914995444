package kernel

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// TestSameBitsEverywhere expects every processor to compute the same bits, even if a compiler would
// fuse a product and a sum. The hashes are those of the Go code on amd64, where nothing is fused.
func TestSameBitsEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	number := func() float64 { return float64(rng.Int64N(1<<40)-1<<39) / (1 << 38) } // without a function that may be rounded differently
	numbers := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = number()
		}
		return v
	}
	const rows, cols, bins = 37, 53, 5
	x, halves, small := make([]float32, rows*cols), make([]uint16, rows*cols), make([]int8, rows*cols)
	start, index := []int{0}, []uint32{}
	for i := range x {
		x[i] = float32(number())
		halves[i], small[i] = BFloat16(x[i]), int8(rng.IntN(256)-128)
		if rng.IntN(3) == 0 {
			index = append(index, uint32(i%cols))
		}
		if i%cols == cols-1 {
			start = append(start, len(index))
		}
	}
	b := Bins{Count: bins, Digits: 13, Offset: make([]int, cols)}
	codes := make([]uint16, rows*cols)
	for v := range b.Offset {
		b.Offset[v] = v * (bins + 1)
	}
	for i := range codes {
		codes[i] = uint16(rng.IntN(bins<<b.Digits + 1))
	}
	beta, r, knots := numbers(cols), numbers(rows), numbers(cols*(bins+1))
	for name, c := range map[string]struct {
		want    uint64
		compute func(z, g, k []float64)
	}{
		"float32":   {0x35103820e9b5d19a, func(z, g, _ []float64) { Mul(z, x, beta); MulT(g, x, r) }},
		"fused":     {0x35103820e9b5d19a, func(z, g, _ []float64) { MulTMul(z, x, beta, g, x, r, false) }},
		"bfloat16":  {0x48c14baf435d3883, func(z, g, _ []float64) { MulBFloat16(z, halves, beta); MulTBFloat16(g, halves, r) }},
		"int8":      {0x21e96620dbdd8a34, func(z, g, _ []float64) { MulInt8(z, small, beta); MulTInt8(g, small, r) }},
		"sparse":    {0xd92323127bbe1643, func(z, g, _ []float64) { MulSparse(z, start, index, x, beta); MulTSparse(g, start, index, x, r) }},
		"bins":      {0x2d8f3035f5b44547, func(z, _, k []float64) { MulBins(z, codes, knots, b); MulTBins(k, codes, r, b) }},
		"expNegAbs": {0x481f0dc013295bd6, func(z, g, k []float64) { ExpNegAbs(z, r); ExpNegAbs(g, beta); ExpNegAbs(k, knots) }},
	} {
		z, g, k := make([]float64, rows), make([]float64, cols), make([]float64, len(knots))
		c.compute(z, g, k)
		h := fnv.New64a()
		for _, v := range [][]float64{z, g, k} {
			for _, f := range v {
				bits := math.Float64bits(f + 0) // zero has one sign
				for shift := 0; shift < 64; shift += 8 {
					h.Write([]byte{byte(bits >> shift)})
				}
			}
		}
		if got := h.Sum64(); got != c.want {
			t.Errorf("%s: %#x, want %#x", name, got, c.want)
		}
	}
}
