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

// TestLimitAnd checks that an effect is allowed by two limits together exactly if it is allowed by each of them.
func TestLimitAnd(t *testing.T) {
	inf := math.Inf(1)
	var all []Limit
	for _, bounds := range [][2]float64{{-inf, inf}, {0, inf}, {-inf, 0}, {-1, 2}, {1, 3}, {-3, -1}} {
		for slope := -1; slope <= 1; slope++ {
			for bend := -1; bend <= 1; bend++ {
				all = append(all, Limit{bounds[0], bounds[1], slope, bend})
			}
		}
	}
	allows := func(l Limit, b float64, bend int) bool {
		return l.Lower <= b && b <= l.Upper && b*float64(l.Slope) >= 0 && bend*l.Bend >= 0
	}
	for _, a := range all {
		for _, b := range all {
			both, ok := a.And(b)
			some := false
			for _, slope := range []float64{-4, -2, -0.5, 0.5, 1.5, 2.5, 4} {
				for bend := -1; bend <= 1; bend++ {
					want := allows(a, slope, bend) && allows(b, slope, bend)
					if some = some || want; ok && allows(both, slope, bend) != want {
						t.Fatalf("%+v and %+v: %+v, slope %v, bend %d: want %v", a, b, both, slope, bend, want)
					}
				}
			}
			if some && !ok && a.Slope*b.Slope >= 0 && a.Bend*b.Bend >= 0 {
				t.Errorf("%+v and %+v allow an effect, and the result is false", a, b)
			}
			if contradict := a.Slope*b.Slope < 0 || a.Bend*b.Bend < 0 || both.Lower > both.Upper; ok && contradict {
				t.Errorf("%+v and %+v contradict each other, and the result is true", a, b)
			}
		}
	}
	for _, c := range []struct {
		a, b Limit
		ok   bool
	}{
		{Limit{1, 3, 0, 0}, Limit{-inf, inf, -1, 0}, false}, // positive and decreasing
		{Limit{0, 3, 0, 0}, Limit{-inf, inf, -1, 0}, true},  // zero is left
		{Limit{-3, -1, 0, 0}, Limit{-inf, inf, 1, 0}, false},
		{Limit{-3, 0, 0, 0}, Limit{-inf, inf, 1, 0}, true},
	} {
		if _, ok := c.a.And(c.b); ok != c.ok {
			t.Errorf("%+v and %+v: %v", c.a, c.b, ok)
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
