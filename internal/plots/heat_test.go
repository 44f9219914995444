package plots

import "testing"

// Shades have round numbers at their edges, the same on both sides of zero, and the strongest is the largest number.
func TestHeatScale(t *testing.T) {
	for _, c := range []struct {
		z            []float64
		step         float64
		below, above int
		top          string
	}{
		{[]float64{-13.7, 4.7}, 2, 7, 3, "6"},
		{[]float64{0, 0}, 1, 0, 0, "0"},
		{[]float64{0.031, 0.08}, 0.01, 0, 8, "0.08"},
		{[]float64{-87_400, 1}, 20_000, 5, 1, "20,000"},
	} {
		h := &Heat{Z: [][]float64{c.z}, Up: 1, Down: 2}
		step, below, above := h.scale()
		if step != c.step || below != c.below || above != c.above {
			t.Errorf("%v: %v, %d, %d", c.z, step, below, above)
		}
		keys, top := h.keys(20)
		if len(keys) != below+above || top != c.top {
			t.Errorf("%v: %v, %q", c.z, keys, top)
		}
		strongest := 0
		for _, z := range c.z {
			tint, strength := h.shade(z, step, max(below, above))
			strongest = max(strongest, strength)
			if (tint == 2) != (z < 0) || (strength == 0) != (z == 0) {
				t.Errorf("%v: tint %d, strength %d", z, tint, strength)
			}
		}
		if most := max(below, above); most > 0 && strongest != heatShades {
			t.Errorf("%v: the strongest shade is %d", c.z, strongest)
		}
	}
}
