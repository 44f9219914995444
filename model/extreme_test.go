package model_test

import (
	"testing"

	"fsa/data"
	"fsa/model"
)

// A few numbers far from all others are extreme. Many of them are not, and rows without a weight do not count.
func TestExtreme(t *testing.T) {
	target := &data.Target{}
	for i := range 100 {
		target.Y = append(target.Y, float64(i%10))
	}
	count := func(want int) {
		t.Helper()
		if n := model.Extreme(target); n != want {
			t.Errorf("%d, not %d", n, want)
		}
	}
	count(0)
	target.Y[3], target.Y[7] = 1e4, -500
	count(2)
	target.Weight = make([]float64, 100)
	for i := range target.Weight {
		target.Weight[i] = float64(min(i%7, 1))
	}
	count(1)
	target.Weight = nil
	for i := range 10 {
		target.Y[i] = 1e4
	}
	count(0)
	target.Y = []float64{0, 1, 2, 3, 1e4}
	count(0)
}
