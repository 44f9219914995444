package plots

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticks     plot.Ticker
		low, high float64
		want      []string
	}{
		{Ticks{Whole: true}, 0, 500, []string{"0", "50", "100", "150", "200", "250", "300", "350", "400", "450", "500"}},
		{Ticks{Whole: true}, 1, 4, []string{"1", "2", "3", "4"}},
		{Ticks{Whole: true}, 0, 1, []string{"0", "1"}},
		{Ticks{}, -0.1, 0.35, []string{"−0.10", "−0.05", "0", "0.05", "0.10", "0.15", "0.20", "0.25", "0.30", "0.35"}},
		{Ticks{}, -2.3, 4.9, []string{"−2", "−1", "0", "1", "2", "3", "4"}},
		{Ticks{}, 0, 4e-5, []string{"0", "5×10⁻⁶", "10⁻⁵", "1.5×10⁻⁵", "2×10⁻⁵", "2.5×10⁻⁵", "3×10⁻⁵", "3.5×10⁻⁵", "4×10⁻⁵"}},
		{Ticks{}, -3e9, 4e9, []string{"−3×10⁹", "−2×10⁹", "−10⁹", "0", "10⁹", "2×10⁹", "3×10⁹", "4×10⁹"}},
		{Ticks{Most: 6}, 0, 1000, []string{"0", "200", "400", "600", "800", "1000"}},
		{Ticks{Most: 6}, -30, 3, []string{"−30", "−20", "−10", "0"}},
		{Ticks{Most: 6}, -4, 2, []string{"−4", "−3", "−2", "−1", "0", "1", "2"}},
		{Ticks{Most: 6}, 0.9992, 1, []string{"0.9992", "0.9994", "0.9996", "0.9998", "1.0000"}},
		{Ticks{Most: 3}, -1.98, 1.98, []string{"−1", "0", "1"}},
		{Ticks{Whole: true}, 0.6, 1.4, []string{"1"}},
		{PowerTicks{}, 0.1, 1000, []string{"0.1", "1", "10", "100", "1000"}},
		{PowerTicks{}, 10, 1000, []string{"10", "30", "100", "300", "1000"}},
		{PowerTicks{}, 1000, 1e6, []string{"1000", "10,000", "100,000", "1,000,000"}},
		{PowerTicks{}, 2, 9, []string{"2", "4", "6", "8"}},
		{PowerTicks{}, 1e8, 1e10, []string{"10⁸", "3×10⁸", "10⁹", "3×10⁹", "10¹⁰"}},
		{Ticks{}, 0, 5e7, []string{"0", "10,000,000", "20,000,000", "30,000,000", "40,000,000", "50,000,000"}},
		{Ticks{Room: 200}, 0, 5e7, []string{"0", "20,000,000", "40,000,000"}},
		{Ticks{Room: 90}, -2e-9, 2e-9, []string{"−2×10⁻⁹", "0", "2×10⁻⁹"}},
		{Ticks{}, 0, 3e5, []string{"0", "100,000", "200,000", "300,000"}},
	} {
		var got []string
		for _, m := range c.ticks.Ticks(c.low, c.high) {
			got = append(got, m.Label)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v from %v to %v: %q, want %q", c.ticks, c.low, c.high, got, c.want)
		}
	}
}

// Ranges whose multiples of a step floating-point numbers cannot tell apart have few marks, and they end.
func TestTicksOfNarrowRanges(t *testing.T) {
	for _, r := range [][2]float64{{1, math.Nextafter(1, 2)}, {1e17, 1e17 + 32}, {-1e17 - 32, -1e17}, {1e300, math.Nextafter(1e300, math.Inf(1))}} {
		for _, most := range []int{0, 3} {
			if n := len((Ticks{Most: most}).Ticks(r[0], r[1])); n > 2*usualMarks {
				t.Errorf("%d marks from %v to %v", n, r[0], r[1])
			}
		}
	}
}
