package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The assembly gives the bits of the Go code, for all lengths of tails and for
// memory that is aligned in any way.
func TestTwins(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 1))
	columns := []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 23, 24, 31, 32, 33, 47, 48, 63, 64, 65, 100, 1000}
	for name, twin := range map[string]struct {
		has  bool
		mul  func(z []float64, x []float32, beta []float64)
		mulT func(g []float64, x []float32, r []float64)
	}{
		"AVX-512": {hasAVX512, mulAVX512, mulTAVX512},
		"AVX2":    {hasAVX2, mulAVX2, mulTAVX2},
	} {
		if !twin.has {
			t.Logf("this machine has no %s", name)
			continue
		}
		for _, m := range columns {
			for rows := range 14 {
				shift := rng.IntN(5)
				x := make([]float32, rows*m+shift)[shift:]
				for i := range x {
					x[i] = float32(rng.NormFloat64())
				}
				beta, r := normals(rng, m), normals(rng, rows)
				want, got := make([]float64, rows), make([]float64, rows)
				mulGo(want, x, beta)
				twin.mul(got, x, beta)
				if !slices.Equal(want, got) {
					t.Fatalf("%s, %d×%d (seed %d): z = %v, in Go %v", name, rows, m, seed, got, want)
				}
				wantG := normals(rng, m)
				gotG := append(slices.Clone(wantG), 42) // a guard behind the last
				mulTGo(wantG, x, r)
				twin.mulT(gotG[:m:m], x, r)
				if !slices.Equal(wantG, gotG[:m]) || gotG[m] != 42 {
					t.Fatalf("%s, %d×%d (seed %d): g = %v, in Go %v", name, rows, m, seed, gotG, wantG)
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

func TestDecayTwins(t *testing.T) {
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, 1))
	for name, twin := range map[string]struct {
		has   bool
		decay func(dst, x []float64)
	}{
		"AVX-512": {hasAVX512, decayAVX512},
		"AVX2":    {hasAVX2, decayAVX2},
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
			decayGo(want, x)
			twin.decay(got[:n:n], x)
			if !slices.Equal(want, got[:n]) || got[n] != 42 {
				t.Fatalf("%s (seed %d): %v at %v, in Go %v", name, seed, got, x, want)
			}
		}
	}
}
