package gram

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// vectors returns n padded vectors of m normal numbers.
func vectors(seed uint64, n, m int) []float64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := make([]float64, n*Padded(m))
	for i := range n {
		for k := range m {
			x[i*Padded(m)+k] = rng.NormFloat64()
		}
	}
	return x
}

// The products are those of gonum, for numbers of vectors that are not multiples of tiles and
// blocks, and with the same bits for any number of threads.
func TestAdd(t *testing.T) {
	ctx := context.Background()
	for _, size := range [][2]int{{1, 1}, {3, 9}, {4, 8}, {7, 40}, {33, 100}, {70, 17}} {
		n, m := size[0], size[1]
		x := vectors(uint64(n), n, m)
		g := make([]float64, n*n)
		for i := range g {
			g[i] = 1
		}
		if err := Add(ctx, 1, g, x, n); err != nil {
			t.Fatal(err)
		}
		var want mat.Dense
		table := mat.NewDense(n, Padded(m), x)
		want.Mul(table, table.T())
		for i := range n {
			for j := range n {
				w := 1.0 // the upper half is unchanged
				if j/side <= i/side {
					w += want.At(i, j)
				}
				if got := g[i*n+j]; j <= i && math.Abs(got-w) > 1e-12*float64(m) {
					t.Errorf("%d vectors of %d: product %d,%d is %v, want %v", n, m, i, j, got, w)
				}
			}
		}
		again := slices.Repeat([]float64{1}, n*n)
		if err := Add(ctx, 3, again, x, n); err != nil || !slices.Equal(again, g) {
			t.Errorf("%d vectors of %d: three threads give other products (%v)", n, m, err)
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if Add(stopped, 1, make([]float64, 4), make([]float64, 16), 2) == nil {
		t.Error("a cancellation was not noticed")
	}
}

// Products of two sets of vectors are those of gonum.
func TestCross(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {5, 3, 9}, {8, 4, 16}, {13, 30, 100}} {
		n, p, m := size[0], size[1], size[2]
		a, b := vectors(1, n, m), vectors(2, p, m)
		got := make([]float64, n*p)
		Cross(got, a, b, n, p)
		var want mat.Dense
		want.Mul(mat.NewDense(n, Padded(m), a), mat.NewDense(p, Padded(m), b).T())
		for i := range n {
			for j := range p {
				if math.Abs(got[i*p+j]-want.At(i, j)) > 1e-12*float64(m) {
					t.Errorf("%v: product %d,%d is %v, want %v", size, i, j, got[i*p+j], want.At(i, j))
				}
			}
		}
	}
}

// The kernel has the bits of its Go twin, wherever its vectors are.
func TestDots(t *testing.T) {
	for _, length := range []int{8, 16, 24, 1024} {
		for _, gap := range []int{0, 1, 3, 8} {
			stride := length + gap
			x := vectors(uint64(length+gap), 1, 8*stride+gap)[gap%3:]
			a, b := x, x[4*stride:]
			var got, want [side * side]float64
			dots(&got, a, b, length, stride)
			dotsGo(&want, a, b, length, stride)
			if got != want {
				t.Errorf("length %d, stride %d: %v, want %v", length, stride, got, want)
			}
		}
	}
}

// The factor reproduces the matrix, and solutions solve it.
func TestCholesky(t *testing.T) {
	for _, n := range []int{1, 2, 5, 16, 17, 31, 64, 90} {
		x := vectors(uint64(n), n, n+3)
		g := make([]float64, n*n)
		if err := Add(context.Background(), 1, g, x, n); err != nil {
			t.Fatal(err)
		}
		at := func(i, j int) float64 { return g[max(i, j)*n+min(i, j)] }
		c, ok := Factorize(n, at)
		if !ok {
			t.Fatalf("%d rows: not positive definite", n)
		}
		want := vectors(7, 1, n)[:n]
		b := make([]float64, n)
		for i := range n {
			for j, v := range want {
				b[i] += at(i, j) * v
			}
		}
		for i, v := range c.Solve(b) {
			if math.Abs(v-want[i]) > 1e-7 {
				t.Errorf("%d rows: x[%d] = %v, want %v", n, i, v, want[i])
			}
		}
		for i := range n {
			for j := range i + 1 {
				if got := dotGo(c.Row(i), c.Row(j)); math.Abs(got-at(i, j)) > 1e-10*float64(n) {
					t.Errorf("%d rows: LLᵀ has %v at %d,%d, want %v", n, got, i, j, at(i, j))
				}
			}
		}
	}
}

// A matrix that is not positive definite is refused.
func TestCholeskyRefuses(t *testing.T) {
	for name, value := range map[string]float64{"zero": 0, "negative": -1, "not a number": math.NaN(), "infinite": math.Inf(1)} {
		for _, n := range []int{1, 20} {
			if _, ok := Factorize(n, func(i, j int) float64 {
				if i != j {
					return 0
				}
				if i == n-1 {
					return value
				}
				return 1
			}); ok {
				t.Errorf("%s on the diagonal of %d rows was not refused", name, n)
			}
		}
	}
	if c, ok := Factorize(0, nil); !ok || len(c.Solve(nil)) != 0 {
		t.Error("no rows were refused")
	}
}

func BenchmarkFactorize(b *testing.B) {
	const n = 1000
	g := make([]float64, n*n)
	if err := Add(context.Background(), 1, g, vectors(1, n, n+200), n); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Factorize(n, func(i, j int) float64 { return g[i*n+j] })
	}
}

func BenchmarkAdd(b *testing.B) {
	const n, m = 1000, 1024
	x, g := vectors(1, n, m), make([]float64, n*n)
	b.SetBytes(n * n / 2 * m) // multiplications, as "bytes"
	for b.Loop() {
		if err := Add(context.Background(), 1, g, x, n); err != nil {
			b.Fatal(err)
		}
	}
}
