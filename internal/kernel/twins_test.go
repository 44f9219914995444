package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// implementation holds the kernels of one instruction set. Those it does not have are nil.
type implementation struct {
	name string
	has  bool // whether this machine can run them

	float32s  products[float32]
	bfloat16s products[uint16]
	int8s     products[int8]
	float64s  products[float64]

	fused     func(z []float64, x []float32, beta, g []float64, y []float32, r []float64)
	fusedRows int // it processes a multiple of this many
	expNegAbs func(dst, x []float64)
	compress  func(dst, row []float32, mask []uint16)
	moments   func(sum, squares []float64, low, high []float32, missing []uint32, row []float32)
	moments4  func(sum, squares []float64, low, high []float32, missing []uint32, a, b, c, d *float32, n int)
	toFloat32 func(dst []float32, largest, row, shift []float64)
	bins      func(z, g []float64, x []uint16, beta, r []float64, b Bins) // both products
}

// products holds those for one kind of cell.
type products[V any] struct {
	mul  func(z []float64, x []V, beta []float64)
	mulT func(g []float64, x []V, r []float64)
}

// fusedApart returns the two halves of the fused kernel, each with the other one idle.
func (a implementation) fusedApart() products[float32] {
	return products[float32]{
		func(z []float64, x []float32, beta []float64) {
			m, n := len(beta), len(z)-len(z)%a.fusedRows
			a.fused(z[:n], x, beta, make([]float64, m), x, make([]float64, n))
			a.float32s.mul(z[n:], x[n*m:], beta)
		},
		func(g []float64, x []float32, r []float64) {
			m, n := len(g), len(r)-len(r)%a.fusedRows
			a.fused(make([]float64, n), x, make([]float64, m), g, x, r[:n])
			a.float32s.mulT(g, x[n*m:], r[n:])
		},
	}
}

// each calls f for the instruction sets of this machine.
func each(t *testing.T, f func(a implementation)) {
	for _, a := range inAssembly {
		if a.has {
			f(a)
		} else {
			t.Logf("this machine has no %s", a.name)
		}
	}
}

// TestTwins expects the assembly to compute the same bits as the Go code, for tails of all lengths
// and memory of any alignment.
func TestTwins(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 1))
	t.Logf("seed %d", seed)
	single := func() float32 { return float32(rng.NormFloat64()) }
	each(t, func(a implementation) {
		inGo := products[float32]{mulGo[float32], mulTGo[float32]}
		checkTwins(t, a.name, rng, single, inGo, a.float32s)
		checkTwins(t, a.name+" fused", rng, single, inGo, a.fusedApart())
		half := func() uint16 { return BFloat16(single()) }
		checkTwins(t, a.name+" bfloat16", rng, half, products[uint16]{mulBFloat16Go, mulTBFloat16Go}, a.bfloat16s)
		small := func() int8 { return int8(rng.IntN(256) - 128) }
		checkTwins(t, a.name+" int8", rng, small, products[int8]{mulGo[int8], mulTGo[int8]}, a.int8s)
		if a.float64s.mul != nil {
			checkTwins(t, a.name+" float64", rng, rng.NormFloat64, products[float64]{mulFloat64Go, mulTFloat64Go}, a.float64s)
		}
	})
}

func checkTwins[V any](t *testing.T, name string, rng *rand.Rand, cell func() V, inGo, twin products[V]) {
	columns := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 23, 24, 31, 32, 33, 47, 48, 63, 64, 65, 100, 1000}
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
				t.Fatalf("%s, %d×%d: z = %v, in Go %v", name, rows, m, got, want)
			}
			wantG := normals(rng, m)
			gotG := append(slices.Clone(wantG), 42)
			inGo.mulT(wantG, x, r)
			twin.mulT(gotG[:m:m], x, r)
			if !slices.Equal(wantG, gotG[:m]) || gotG[m] != 42 {
				t.Fatalf("%s, %d×%d: g = %v, in Go %v", name, rows, m, gotG, wantG)
			}
		}
	}
}

// TestFusedTwins tests both halves of the fused kernel at once.
func TestFusedTwins(t *testing.T) {
	const seed = 14
	rng := rand.New(rand.NewPCG(seed, 1))
	each(t, func(a implementation) {
		for _, m := range []int{1, 7, 15, 16, 17, 30, 100, 129, 1000} {
			for _, groups := range []int{1, 2, 3} {
				n := groups * a.fusedRows
				x, y := make([]float32, n*m), make([]float32, n*m)
				for i := range x {
					x[i], y[i] = float32(rng.NormFloat64()), float32(rng.NormFloat64())
				}
				beta, r, g := normals(rng, m), normals(rng, n), normals(rng, m)
				wantZ, wantG := make([]float64, n), slices.Clone(g)
				z := make([]float64, n)
				mulTGo(wantG, y, r)
				mulGo(wantZ, x, beta)
				a.fused(z, x, beta, g, y, r)
				if !slices.Equal(z, wantZ) || !slices.Equal(g, wantG) {
					t.Fatalf("%s, %d rows of %d columns (seed %d): z = %v and g = %v, in Go %v and %v", a.name, n, m, seed, z, g, wantZ, wantG)
				}
			}
		}
	})
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
	each(t, func(a implementation) {
		for n := range 70 {
			x := normals(rng, n)
			for i := range x {
				x[i] *= math.Exp(10 * rng.NormFloat64())
			}
			want, got := make([]float64, n), append(make([]float64, n), 42) // a guard behind the last
			expNegAbsGo(want, x)
			a.expNegAbs(got[:n:n], x)
			if !slices.Equal(want, got[:n]) || got[n] != 42 {
				t.Fatalf("%s (seed %d): %v at %v, in Go %v", a.name, seed, got, x, want)
			}
		}
	})
}

func TestCompressTwins(t *testing.T) {
	const seed = 13
	rng := rand.New(rand.NewPCG(seed, 1))
	each(t, func(a implementation) {
		if a.compress == nil {
			return
		}
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
				a.compress(got[:len(columns)], row, mask)
				if !slices.Equal(want, got[:len(columns)]) || got[len(columns)] != 42 {
					t.Fatalf("%d columns of %d (seed %d): %v, in Go %v", len(columns), m, seed, got, want)
				}
				a.compress(row[:len(columns)], row, mask) // in place
				if !slices.Equal(want, row[:len(columns)]) {
					t.Fatalf("%d columns of %d in place (seed %d): %v, in Go %v", len(columns), m, seed, row[:len(columns)], want)
				}
			}
		}
	})
}
