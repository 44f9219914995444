package search

import (
	"math"
	"testing"

	"fsa/data"
)

// waves returns a table whose target jumps where the product of the first two columns is large.
func waves(rows int) *cells {
	c := &cells{cols: 3}
	for i := range rows {
		x := make([]float64, 3)
		for j := range x {
			x[j] = math.Sin(1.3*float64(i*(j+1))+float64(j)) + 0.3*math.Cos(float64(i*(j+2)))
		}
		y := x[0] - 0.5*x[1] + 0.6*math.Sin(7.1*float64(i))
		if x[0]*x[1] > 0.3 {
			y += 0.8 * x[0]
		}
		c.x, c.y = append(c.x, x...), append(c.y, y)
	}
	return c
}

// The statistics are those that numpy computes by least squares: the products of the hat functions at the
// knots are replaced by what the hat functions of single variables, the variables and their squares do not explain, and the squares of their
// scores are compared with the sum of the squares over rows.
func TestSurfaceStatistic(t *testing.T) {
	test := pairTested(t, waves(240), "squared", 4)
	for pair, want := range map[data.Interaction][2]float64{{0, 1}: {16.35968730317258, -2.8177561852117017}, {0, 2}: {19.146818657603166, -3.730824245951481}, {1, 2}: {5.2505281556922565, -0.2083225977966877}} {
		got, err := test.surface(t.Context(), pair)
		if err != nil {
			t.Fatal(err)
		}
		if v := got.statistic * test.significant(9); !near(v, want[0], 1e-4) || !near(got.logP, want[1], 1e-4) {
			t.Errorf("pair %v: %v and %v, want %v", pair, v, got.logP, want)
		}
	}
}

// A pair has the form that is more significant: a product if the effect is one, and otherwise a surface.
func TestSurfaceOrProduct(t *testing.T) {
	for _, surface := range []bool{false, true} {
		c := normal(6, 600, 6, 0, 0.5, 1, 1)
		for i := range c.y {
			a, b := c.x[i*6+2], c.x[i*6+3]
			switch {
			case !surface:
				c.y[i] += a * b
			case math.Abs(a) < 0.7 && math.Abs(b) < 0.7: // its product explains nothing
				c.y[i] += 2
			}
		}
		test := pairTested(t, c, "squared", 4)
		list, err := test.candidates(t.Context(), 20)
		if err != nil {
			t.Fatal(err)
		}
		found, err := test.addBest(t.Context(), list, nil, 20)
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 1 || found[0].Interaction != (data.Interaction{2, 3}) || (found[0].Shapes[0] != nil) != surface {
			t.Errorf("surface %v: found %v", surface, found)
		}
	}
}

// Logarithms of small probabilities are those of scipy.
func TestLogTail(t *testing.T) {
	if got := logTail(0.5, 600); !near(got, -603.77166137485, 1e-9) {
		t.Errorf("%v", got)
	}
}

// A surface has as many knots as there are ten rows for each of its cells, but at least three and at most the given number.
func TestKnotsByRows(t *testing.T) {
	for rows, want := range map[int]int{80: 3, 150: 3, 160: 4, 359: 5, 360: 6, 5000: 6} {
		if got := pairTested(t, normal(3, rows, 3, 0, 1), "squared", 6).knots; got != want {
			t.Errorf("%d rows: %d knots", rows, got)
		}
	}
	if got := pairTested(t, normal(3, 80, 3, 0, 1), "squared", 0).knots; got != 0 {
		t.Errorf("lines: %d knots", got)
	}
}

// Two values on each side make a product, a surface needs ten rows for each of its cells, and a column without knots has none.
func TestNoSurface(t *testing.T) {
	for rows, want := range map[int]map[data.Interaction]bool{
		80:  {{0, 1}: false, {2, 3}: false, {0, 2}: true},
		200: {{0, 1}: false, {2, 3}: true, {0, 2}: true},
	} {
		c := normal(3, rows, 4, 0, 1, 1)
		for i := range c.y {
			c.x[i*4], c.x[i*4+1] = float64(i%2), float64(i/2%2)
		}
		test := pairTested(t, c, "squared", 4)
		for pair, is := range want {
			got, err := test.surface(t.Context(), pair)
			if err != nil || (got.columns != nil) != is || got.pair != pair || got.given != 1 {
				t.Errorf("%d rows, pair %v: %d columns after %d, %v", rows, pair, len(got.columns), got.given, err)
			}
		}
	}
}
