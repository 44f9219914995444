package matrix_test

import (
	"math"
	"testing"

	"fsa/internal/matrix"
)

func TestFarFromZero(t *testing.T) {
	for _, c := range []struct {
		typical, low, high float64
		want               bool
	}{
		{0, 0, 0, false},
		{5, 5, 5, true}, // constant
		{2020, 2015, 2025, true},
		{-2020, -2025, -2015, true},
		{41, 36, 46, true}, // just more than four ranges of ten
		{40, 35, 45, false},
		{30, 25, 35, false},
		{0.5, 0, 1, false},
		{1e300, 1e300, 1e300, false}, // a difference might overflow
		{1e308, -1.7e308, 1.7e308, false},
	} {
		if got := matrix.FarFromZero(c.typical, c.low, c.high); got != c.want {
			t.Errorf("%v between %v and %v: %v", c.typical, c.low, c.high, got)
		}
	}
}

func TestUnitExponent(t *testing.T) {
	for size, want := range map[float64]int{
		0: 0, 1: 0, 1e10: 0, 1e-10: 0, 0x1p60: 0, 0x1.8p60: 0, 0x1p61: 61, 0x1p-60: 0, 0x1p-61: -61, 0x1.8p900: 900,
		math.Inf(1): 0, math.NaN(): 0,
	} {
		if got := matrix.UnitExponent(size); got != want {
			t.Errorf("numbers up to %v are in units of 2^%d, want 2^%d", size, got, want)
		}
	}
}
