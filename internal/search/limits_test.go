package search

import (
	"math"
	"slices"
	"testing"

	"fsa/data"
	"fsa/internal/solve"
)

// TestLimitCurve checks the constraints of curves by functions that satisfy them and functions that do not.
func TestLimitCurve(t *testing.T) {
	knots := data.Knots{0, 1, 3, 4, 10}
	kept := func(l Limit, f func(x float64) float64) bool {
		for _, c := range l.curve(knots) {
			sum := 0.0
			for i, at := range c.Columns {
				sum += c.Weights[i] * f(knots[at])
			}
			if sum < c.Least-1e-12 {
				return false
			}
		}
		return true
	}
	line := func(x float64) float64 { return 2*x + 1 }
	square := func(x float64) float64 { return x * x }
	for _, c := range []struct {
		slope, bend              int
		line, square, root, hill bool
	}{
		{1, 0, true, true, true, false}, {-1, 0, false, false, false, false},
		{0, 1, true, true, false, false}, {0, -1, true, false, true, true}, {1, 1, true, true, false, false},
	} {
		l := Limit{Slope: c.slope, Bend: c.bend}
		got := []bool{kept(l, line), kept(l, square), kept(l, math.Sqrt), kept(l, func(x float64) float64 { return -square(x - 4) })}
		if !slices.Equal(got, []bool{c.line, c.square, c.root, c.hill}) {
			t.Errorf("%+v: %v", l, got)
		}
	}
}

// TestLimitCone checks along which directions a coefficient of zero may move.
func TestLimitCone(t *testing.T) {
	inf := math.Inf(1)
	for l, want := range map[Limit][2]float64{
		{Lower: 0, Upper: 2}: {0, inf}, {Lower: -1, Upper: 0}: {-inf, 0}, {Lower: -1, Upper: 1}: {-inf, inf}, {Lower: 1, Upper: 2}: {0, inf}, Free: {-inf, inf},
	} {
		if c := l.cone(); c.Lower != want[0] || c.Upper != want[1] {
			t.Errorf("%+v: %+v", l, c)
		}
	}
}

// TestLimitProject checks that the constraints of a line are its bounds.
func TestLimitProject(t *testing.T) {
	for _, x := range []float64{-5, -1, 0.5, 2, 9} {
		v := []float64{x}
		solve.Project(v, Limit{Lower: -1, Upper: 2}.line(0))
		if want := min(max(x, -1), 2); v[0] != want {
			t.Errorf("%v becomes %v", x, v[0])
		}
	}
}
