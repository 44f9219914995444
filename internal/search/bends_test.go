package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa/loss"
)

// bends reports whether the rest of a fit of the first columns of a table has bends.
func bends(t *testing.T, c *cells, lossName string, columns int) bool {
	t.Helper()
	s := c.sample(t, lossName)
	s.Data = c.dataset(t)
	fit, err := s.Learn(t.Context(), all(columns), 1e-4, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fit.Bends(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// bent returns rows of independent normal columns, of which each of the first ten has an effect.
func bent(seed uint64, rows, cols int, effect func(j int, x float64) float64) *cells {
	rng := rand.New(rand.NewPCG(seed, 6))
	c := &cells{cols: cols}
	for range rows {
		y := rng.NormFloat64()
		for j := range cols {
			v := rng.NormFloat64()
			if c.x = append(c.x, v); j < 10 {
				y += effect(j, v)
			}
		}
		c.y = append(c.y, y)
	}
	return c
}

func TestBends(t *testing.T) {
	line := func(_ int, x float64) float64 { return x }
	for _, c := range []struct {
		name   string
		loss   string
		cols   int
		effect func(j int, x float64) float64
		most   int // largest number of ten tables with bends
		least  int
	}{
		{"lines", "squared", 60, line, 3, 0},
		{"lines of two classes", "logistic", 60, line, 3, 0},
		{"lines of three classes", "multinomial", 60, line, 3, 0},
		{"a square of each", "squared", 60, func(_ int, x float64) float64 { return x + 0.1*x*x }, 10, 8}, // none is significant by itself
		{"a square of each, two classes", "logistic", 60, func(_ int, x float64) float64 { return x + 0.4*x*x }, 10, 8},
		{"a wave of each", "squared", 60, func(_ int, x float64) float64 { return x + 0.4*math.Sin(3*x) }, 10, 8},
		{"a square outside", "squared", 60, func(j int, x float64) float64 {
			if j == 9 { // the fit has the first nine
				return x*x - 1
			}
			return x
		}, 10, 9},
		{"a wave outside", "squared", 60, func(j int, x float64) float64 {
			if j == 9 {
				return 1.5 * (math.Pow(x, 3)/3 - x)
			}
			return x
		}, 10, 9},
	} {
		found := 0
		for seed := range uint64(10) {
			table := bent(seed, 400, c.cols, c.effect).of(c.loss)
			if bends(t, table.holdOut(4), c.loss, 9) {
				found++
			}
		}
		if found < c.least || found > c.most {
			t.Errorf("%s: %d of 10 tables have bends, not %d to %d", c.name, found, c.least, c.most)
		}
	}
}

// A column with two values has no bends, and neither has a text.
func TestBendsOfFlags(t *testing.T) {
	c := bent(1, 400, 12, func(j int, x float64) float64 { return x * x })
	for i, v := range c.x {
		c.x[i] = math.Copysign(1, v)
	}
	if bends(t, c, "squared", 9) {
		t.Error("flags have bends")
	}
}

// Rows in another order, and rows with a weight instead of repeated ones, have the same quartiles.
func TestQuartiles(t *testing.T) {
	x, weight := []float64{3, 1, 2, 5, 4}, []float64{1, 0.5, 1, 2, 0.5}
	weighted := bendTest{leftover: leftover{rows: []int{0, 1, 2, 3, 4}}, counts: loss.Target{Weight: weight}}
	repeated := bendTest{leftover: leftover{rows: all(10)}}
	if got, want := weighted.quartiles(x), repeated.quartiles([]float64{5, 5, 5, 5, 4, 3, 3, 2, 2, 1}); got != want || got != [3]float64{2, 3, 5} {
		t.Errorf("%v with weights, and %v with repeated rows", got, want)
	}
}
