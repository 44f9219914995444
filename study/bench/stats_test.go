package bench

import (
	"math"
	"slices"
	"testing"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		x            []float64
		want, spread float64
	}{
		{nil, 0, 0},
		{[]float64{3}, 3, 0},
		{[]float64{4, 1}, 2.5, 1.2},
		{[]float64{9, 1, 2}, 2, 4},
		{[]float64{4, 1, 3, 2}, 2.5, 1.2},
		{[]float64{0, 0}, 0, 0},
	} {
		before := slices.Clone(c.x)
		if got := median(c.x); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.x, got, c.want)
		}
		if got := spread(c.x); math.Abs(got-c.spread) > 1e-12 {
			t.Errorf("spread of %v is %v, want %v", c.x, got, c.spread)
		}
		if !slices.Equal(before, c.x) {
			t.Errorf("%v was changed into %v", before, c.x)
		}
	}
}

func TestExponent(t *testing.T) {
	x := []float64{10, 22, 46, 100}
	for _, power := range []float64{0, 0.5, 1, 2} {
		y := make([]float64, len(x))
		for i := range x {
			y[i] = 3e-4 * math.Pow(x[i], power)
		}
		if got := exponent(x, y); math.Abs(got-power) > 1e-12 {
			t.Errorf("exponent %v, want %v", got, power)
		}
	}
	// Between two points it is the slope; points that lie symmetrically between do not change it.
	if got := exponent([]float64{1, 10, 100}, []float64{1, 1000, 10000}); math.Abs(got-2) > 1e-12 {
		t.Errorf("exponent %v, want 2", got)
	}
}

func TestDecade(t *testing.T) {
	if got := decade(1000, 4); !slices.Equal(got, []int{1000, 2154, 4642, 10000}) {
		t.Errorf("decade %v", got)
	}
}

func TestParseSize(t *testing.T) {
	for s, want := range map[string]int{
		"107520K": 105 << 20, "2M\n": 2 << 20, "24000000 kB": 24000000 << 10, "512": 512, "": 0, "much": 0,
	} {
		if got := parseSize(s); got != want {
			t.Errorf("%q is %d, want %d", s, got, want)
		}
	}
}
