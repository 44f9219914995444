package portable

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Bits of results, so that they are the same on every processor on which the test runs.
func TestExpBits(t *testing.T) {
	for _, c := range []struct {
		x    float64
		bits uint64
	}{
		{-744, 0x2},
		{-700.25, 0xcaf5fe9a485c8e},
		{-37.5, 0x3c8dd5c566301ec8},
		{-3.3, 0x3fa2e259bb85be85},
		{-1e-05, 0x3fefffeb07515653},
		{0.1, 0x3ff1aec7b35a00d4},
		{0.3465735, 0x3ff6a09e443976b4},
		{1, 0x4005bf0a8b145769},
		{2.718281828, 0x402e4efb75a890fd},
		{88.5, 0x47e99b987155fe28},
		{700.25, 0x7f12fd8e4cbfa413},
	} {
		if got := math.Float64bits(Exp(c.x)); got != c.bits {
			t.Errorf("Exp(%v) = %#x, want %#x", c.x, got, c.bits)
		}
	}
}

func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		x := rng.NormFloat64() * math.Pow(10, 3*rng.Float64())
		got, want := Exp(x), math.Exp(x)
		if got == want {
			continue
		}
		if math.Abs(got-want) > 2*math.Abs(math.Nextafter(want, math.Inf(1))-want) {
			t.Fatalf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 709, 709.79, -745, -746, 1e-30, -1e-30, -740} {
		if got, want := Exp(x), math.Exp(x); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("Exp(%v) = %v, want %v", x, got, want)
		}
	}
}

func BenchmarkExp(b *testing.B) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = rand.NormFloat64() * 5
	}
	var sum float64
	b.Run("portable", func(b *testing.B) {
		for b.Loop() {
			for _, v := range x {
				sum += Exp(v)
			}
		}
	})
	b.Run("math", func(b *testing.B) {
		for b.Loop() {
			for _, v := range x {
				sum += math.Exp(v)
			}
		}
	})
	_ = sum
}
