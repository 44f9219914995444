package synth

import (
	"math"
	"testing"
)

// The layers must have the same area, or some numbers come too often.
func TestLayers(t *testing.T) {
	z := ziggurat
	end := func(i int) float64 { return z.width[i] * (1 << 52) }
	for i := 2; i < 256; i++ {
		if got := end(i) * (z.height[i-1] - z.height[i]); math.Abs(got/area-1) > 1e-6 {
			t.Errorf("layer %d has area %v, want %v", i, got, area)
		}
		if end(i) <= end(i-1) || z.height[i] >= z.height[i-1] {
			t.Errorf("layer %d is not below and wider than layer %d", i, i-1)
		}
	}
	if got := end(1) * (1 - z.height[1]); math.Abs(got/area-1) > 1e-6 {
		t.Errorf("the top has area %v, want %v", got, area)
	}
	tail := math.Sqrt(math.Pi/2) * math.Erfc(edge/math.Sqrt2)
	if got := edge*z.height[255] + tail; math.Abs(got/area-1) > 1e-6 {
		t.Errorf("the bottom has area %v, want %v", got, area)
	}
}

// No entry of the table is so near to the middle between two rounded values
// that a logarithm with another last digit would change it.
func TestLayersAreTheSameEverywhere(t *testing.T) {
	exact := float64(edge)
	for i := 255; i > 0; i-- {
		for _, x := range []float64{exact, math.Exp(-exact * exact / 2)} {
			scaled := x * 0x1p32
			if d := math.Abs(math.Abs(scaled-math.Round(scaled)) - 0.5); d < 0x1p-16 {
				t.Errorf("layer %d: %v is %v units from being rounded the other way", i, x, d)
			}
		}
		exact = math.Sqrt(-2 * math.Log(area/exact+math.Exp(-exact*exact/2)))
	}
}

// Four million numbers are counted in 62 cells, the outer ones beyond where the
// tail begins.
func TestNormalDistribution(t *testing.T) {
	const (
		seed = 5
		n    = 4_000_000
		side = 30 // cells on each side of 0, as wide as up to edge is long
	)
	x := make([]float64, 1000)
	s := newStream(seed, 0, forVariables)
	var count [2*side + 2]float64
	var sum, sum2, sum3, sum4 float64
	for range n / len(x) {
		s.walk(x, 0, 0, 1, 0)
		for _, v := range x {
			sum, sum2, sum3, sum4 = sum+v, sum2+v*v, sum3+v*v*v, sum4+v*v*v*v
			count[min(max(int(math.Floor(v/edge*side))+side+1, 0), 2*side+1)]++
		}
	}
	// Each bound is five standard deviations of the moment.
	for _, m := range []struct {
		name                string
		got, want, variance float64
	}{
		{"mean", sum / n, 0, 1},
		{"second moment", sum2 / n, 1, 2},
		{"third moment", sum3 / n, 0, 15},
		{"fourth moment", sum4 / n, 3, 96},
	} {
		if math.Abs(m.got-m.want) > 5*math.Sqrt(m.variance/n) {
			t.Errorf("%s is %v, want %v (seed %d)", m.name, m.got, m.want, seed)
		}
	}
	below := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	var chi2 float64
	for i, c := range count {
		lo, hi := math.Inf(-1), math.Inf(1)
		if i > 0 {
			lo = float64(i-1-side) * edge / side
		}
		if i <= 2*side {
			hi = float64(i-side) * edge / side
		}
		want := n * (below(hi) - below(lo))
		chi2 += (c - want) * (c - want) / want
	}
	// 61 degrees of freedom; 112 is exceeded with probability 1e-4.
	if chi2 > 112 {
		t.Errorf("chi-squared of the counts is %v (seed %d)", chi2, seed)
	}
}

func BenchmarkWalk(b *testing.B) {
	x := make([]float64, 1000)
	s := newStream(1, 0, forVariables)
	b.SetBytes(int64(8 * len(x)))
	for b.Loop() {
		s.walk(x, 0, 0.9, 0.4, 0)
	}
}
