package kernel_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/internal/kernel"
)

// Several vectors have the bits of each alone, for rows, columns and numbers of vectors of every kind,
// and nothing is written beside their places.
func TestSeveral(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 21))
	for _, cols := range []int{0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 100, 129, 1000} {
		for _, rows := range []int{0, 1, 2, 3, 4, 5, 32, 33} {
			for vectors := 1; vectors < 13; vectors++ {
				stride := rows + rng.IntN(3)
				x, beta := numbers[float32](rng, rows*cols, 1), numbers[float64](rng, vectors*cols, 1)
				r := numbers[float64](rng, vectors*stride, 1)
				z, zIntact := guarded(rng, vectors*stride, 1)
				g, gIntact := guarded(rng, vectors*cols, 1)
				wantZ, wantG := slices.Clone(z), slices.Clone(g)
				for v := range vectors {
					kernel.Mul(wantZ[v*stride:][:rows], x, beta[v*cols:(v+1)*cols])
					kernel.MulT(wantG[v*cols:(v+1)*cols], x, r[v*stride:][:rows])
				}
				kernel.MulSeveral(z, x, beta, rows, vectors, stride)
				kernel.MulTSeveral(g, x, r, rows, vectors, stride)
				if !slices.Equal(z, wantZ) || !slices.Equal(g, wantG) || !zIntact() || !gIntact() {
					t.Fatalf("%d×%d, %d vectors %d apart: other bits (seed %d)", rows, cols, vectors, stride, seed)
				}
			}
		}
	}
}

// Vectors of other lengths panic.
func TestSeveralLengths(t *testing.T) {
	for name, f := range map[string]func(){
		"x":      func() { kernel.MulSeveral(make([]float64, 4), make([]float32, 5), make([]float64, 6), 2, 2, 2) },
		"z":      func() { kernel.MulSeveral(make([]float64, 3), make([]float32, 6), make([]float64, 6), 2, 2, 2) },
		"stride": func() { kernel.MulSeveral(make([]float64, 4), make([]float32, 6), make([]float64, 6), 2, 2, 1) },
		"x of T": func() { kernel.MulTSeveral(make([]float64, 6), make([]float32, 5), make([]float64, 4), 2, 2, 2) },
		"r":      func() { kernel.MulTSeveral(make([]float64, 6), make([]float32, 6), make([]float64, 3), 2, 2, 2) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func BenchmarkSeveral(b *testing.B) {
	const rows, cols, vectors = 32, 1000, 5
	rng := rand.New(rand.NewPCG(seed, 22))
	x, beta, r := numbers[float32](rng, rows*cols, 0), numbers[float64](rng, vectors*cols, 0), numbers[float64](rng, vectors*rows, 0)
	z, g := make([]float64, vectors*rows), make([]float64, vectors*cols)
	b.Run("together", func(b *testing.B) {
		for range b.N {
			kernel.MulSeveral(z, x, beta, rows, vectors, rows)
			kernel.MulTSeveral(g, x, r, rows, vectors, rows)
		}
	})
	b.Run("one by one", func(b *testing.B) {
		for range b.N {
			for v := range vectors {
				kernel.MulTMul(z[v*rows:(v+1)*rows], x, beta[v*cols:(v+1)*cols], g[v*cols:(v+1)*cols], x, r[v*rows:(v+1)*rows], false)
			}
		}
	})
}
