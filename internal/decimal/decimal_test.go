package decimal

import (
	"math"
	"testing"
)

func TestDigits(t *testing.T) {
	for _, c := range []struct {
		v            float64
		n            int
		want, padded string
	}{
		{5.551e-16, 3, "0", "0"},
		{0, 4, "0", "0"},
		{1, 4, "1", "1.000"},
		{-1.85, 4, "-1.85", "-1.850"},
		{0.1, 2, "0.1", "0.10"},
		{9.996, 3, "10", "10.0"},
		{99.96, 3, "100", "100"},
		{0.00002, 3, "0.00002", "0.0000200"},
		{1.5e-7, 3, "1.5e-07", "1.5e-07"},
		{1994, 3, "1994", "1994"},
		{9999.6, 4, "10,000", "10,000"},
		{87399.6, 3, "87,400", "87,400"},
		{-242520, 4, "-242,520", "-242,520"},
		{999999, 2, "999,999", "999,999"},
		{4392723485, 4, "4,393,000,000", "4,393,000,000"},
		{-211130242, 2, "-210,000,000", "-210,000,000"},
		{1.5e15, 3, "1.5e+15", "1.5e+15"},
		{math.NaN(), 3, "NaN", "NaN"},
		{math.Inf(-1), 3, "-Inf", "-Inf"},
		{12345.678, 7, "12,345.68", "12,345.68"},
	} {
		if got := Digits(c.v, c.n); got != c.want {
			t.Errorf("%v with %d digits: %s, want %s", c.v, c.n, got, c.want)
		}
		if got := Padded(c.v, c.n); got != c.padded {
			t.Errorf("%v with %d digits, padded: %s, want %s", c.v, c.n, got, c.padded)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1000", 10000: "10,000", -1234567: "-1,234,567"} {
		if got := Count(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestTypeset(t *testing.T) {
	for text, want := range map[string]string{"-1.5e-07": "−1.5×10⁻⁷", "1e+15": "10¹⁵", "0.2": "0.2", "-3": "−3", "NaN": "NaN"} {
		if got := Typeset(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
