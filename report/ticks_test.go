package report

import (
	"slices"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		whole     bool
		want      []string
	}{
		{0, 500, true, []string{"0", "50", "100", "150", "200", "250", "300", "350", "400", "450", "500"}},
		{1, 4, true, []string{"1", "2", "3", "4"}},
		{0, 1, true, []string{"0", "1"}},
		{-0.1, 0.35, false, []string{"−0.10", "−0.05", "0", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30", "0.35"}},
		{-2.3, 4.9, false, []string{"−2", "−1", "0", "1", "2", "3", "4"}},
		{0, 4e-5, false, []string{"0", "5e−06", "1e−05", "1.5e−05", "2e−05", "2.5e−05", "3e−05", "3.5e−05", "4e−05"}},
		{-3e9, 4e9, false, []string{"−3e+09", "−2e+09", "−1e+09", "0", "1e+09", "2e+09", "3e+09", "4e+09"}},
	} {
		var got []string
		for _, m := range (ticks{whole: c.whole}).Ticks(c.low, c.high) {
			got = append(got, m.Label)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}
