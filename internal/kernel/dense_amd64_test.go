//go:build !noasm

package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// twins are the products of one kind of cell in one instruction set.
type twins[V any] struct {
	name string
	has  bool
	mul  func(z []float64, x []V, beta []float64)
	mulT func(g []float64, x []V, r []float64)
}

// fused are the products that mulTMulAVX512 does at once, each with the other one idle.
var fused = twins[float32]{
	"AVX-512 fused", hasAVX512,
	func(z []float64, x []float32, beta []float64) {
		m, n := len(beta), len(z)&^3
		for i := 0; i < n && m > 0; i += 4 {
			g, r := make([]float64, m), make([]float64, 4)
			mulTMulAVX512(&z[i], &x[i*m], beta, &g[0], &x[i*m], &r[0], 768)
		}
		if m == 0 {
			n = 0
		}
		mulAVX512(z[n:], x[n*m:], beta)
	},
	func(g []float64, x []float32, r []float64) {
		m, n := len(g), len(r)&^3
		for i := 0; i < n && m > 0; i += 4 {
			z := make([]float64, 4)
			mulTMulAVX512(&z[0], &x[i*m], make([]float64, m), &g[0], &x[i*m], &r[i], 768)
		}
		mulTAVX512(g, x[n*m:], r[n:])
	},
}

// The assembly gives the bits of the Go code, for all lengths of tails and for
// memory that is aligned in any way.
func TestTwins(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	single := func() float32 { return float32(rng.NormFloat64()) }
	t.Run("float32", func(t *testing.T) {
		checkTwins(t, rng, single, twins[float32]{"Go", true, mulGo[float32], mulTGo[float32]},
			twins[float32]{"AVX-512", hasAVX512, mulAVX512, mulTAVX512}, twins[float32]{"AVX2", hasAVX2, mulAVX2, mulTAVX2}, fused)
	})
	t.Run("bfloat16", func(t *testing.T) {
		cell := func() uint16 { return BFloat16(single()) }
		checkTwins(t, rng, cell, twins[uint16]{"Go", true, mulBFloat16Go, mulTBFloat16Go},
			twins[uint16]{"AVX-512", hasAVX512, mulBFloat16AVX512, mulTBFloat16AVX512}, twins[uint16]{"AVX2", hasAVX2, mulBFloat16AVX2, mulTBFloat16AVX2})
	})
	t.Run("int8", func(t *testing.T) {
		cell := func() int8 { return int8(rng.IntN(256) - 128) }
		checkTwins(t, rng, cell, twins[int8]{"Go", true, mulGo[int8], mulTGo[int8]},
			twins[int8]{"AVX-512", hasAVX512, mulInt8AVX512, mulTInt8AVX512}, twins[int8]{"AVX2", hasAVX2, mulInt8AVX2, mulTInt8AVX2})
	})
}

func checkTwins[V any](t *testing.T, rng *rand.Rand, cell func() V, inGo twins[V], others ...twins[V]) {
	columns := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 24, 31, 32, 33, 47, 48, 63, 64, 65, 100, 1000}
	for _, twin := range others {
		if !twin.has {
			t.Logf("this machine has no %s", twin.name)
			continue
		}
		for _, m := range columns {
			for rows := range 14 {
				x := make([]V, rows*m+rng.IntN(5))
				for i := range x { // what lies before them must not count
					x[i] = cell()
				}
				x = x[len(x)-rows*m:]
				beta, r := normals(rng, m), normals(rng, rows)
				want, got := make([]float64, rows), append(make([]float64, rows), 42) // a guard behind the last
				inGo.mul(want, x, beta)
				twin.mul(got[:rows:rows], x, beta)
				if !slices.Equal(want, got[:rows]) || got[rows] != 42 {
					t.Fatalf("%s, %d×%d: z = %v, in Go %v", twin.name, rows, m, got, want)
				}
				wantG := normals(rng, m)
				gotG := append(slices.Clone(wantG), 42)
				inGo.mulT(wantG, x, r)
				twin.mulT(gotG[:m:m], x, r)
				if !slices.Equal(wantG, gotG[:m]) || gotG[m] != 42 {
					t.Fatalf("%s, %d×%d: g = %v, in Go %v", twin.name, rows, m, gotG, wantG)
				}
			}
		}
	}
}

func normals(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func TestExpNegAbsTwins(t *testing.T) {
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, 1))
	for name, twin := range map[string]struct {
		has       bool
		expNegAbs func(dst, x []float64)
	}{
		"AVX-512": {hasAVX512, expNegAbsAVX512},
		"AVX2":    {hasAVX2, expNegAbsAVX2},
	} {
		if !twin.has {
			t.Logf("this machine has no %s", name)
			continue
		}
		for n := range 70 {
			x := normals(rng, n)
			for i := range x {
				x[i] *= math.Exp(10 * rng.NormFloat64())
			}
			want, got := make([]float64, n), append(make([]float64, n), 42) // a guard behind the last
			expNegAbsGo(want, x)
			twin.expNegAbs(got[:n:n], x)
			if !slices.Equal(want, got[:n]) || got[n] != 42 {
				t.Fatalf("%s (seed %d): %v at %v, in Go %v", name, seed, got, x, want)
			}
		}
	}
}

func TestCompressTwins(t *testing.T) {
	if !hasAVX512 {
		t.Skip("this machine has no AVX-512")
	}
	const seed = 13
	rng := rand.New(rand.NewPCG(seed, 1))
	for m := range 100 {
		for _, share := range []float64{0, 0.05, 0.5, 1} {
			var columns []int
			for j := range m {
				if rng.Float64() < share {
					columns = append(columns, j)
				}
			}
			row := make([]float32, m)
			for j := range row {
				row[j] = rng.Float32()
			}
			mask := NewMask(columns, m).bits
			want, got := make([]float32, len(columns)), append(make([]float32, len(columns)), 42) // a guard behind the last
			compressGo(want, row, mask)
			compressAVX512(got[:len(columns)], row, mask)
			if !slices.Equal(want, got[:len(columns)]) || got[len(columns)] != 42 {
				t.Fatalf("%d columns of %d (seed %d): %v, in Go %v", len(columns), m, seed, got, want)
			}
			compressAVX512(row[:len(columns)], row, mask) // in place
			if !slices.Equal(want, row[:len(columns)]) {
				t.Fatalf("%d columns of %d in place (seed %d): %v, in Go %v", len(columns), m, seed, row[:len(columns)], want)
			}
		}
	}
}
