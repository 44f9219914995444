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

// limited returns the sample of a table with limits, in which the response has the unit 2.
func limited(t *testing.T, c *cells, others Limit, of map[int]Limit) *Sample {
	t.Helper()
	s := c.sample(t, "squared")
	s.Limits = &Limits{Of: of, Others: others, Unit: 2}
	return s
}

// The limit of a variable is that of its column or of all others, in the units of its coefficients.
func TestLimitOf(t *testing.T) {
	inf := math.Inf(1)
	c := normal(1, 60, 3, 0, 1, 1)
	s := limited(t, c, Limit{Lower: -4, Upper: 6}, map[int]Limit{
		1: {Lower: -inf, Upper: inf, Slope: 1}, 2: {Lower: -inf, Upper: 8, Slope: -1},
	})
	for v, want := range []Limit{{Lower: -4, Upper: 6}, {Lower: 0, Upper: inf, Slope: 1}, {Lower: -inf, Upper: 0, Slope: -1}} {
		unit, _ := s.Design.Units(v)
		want.Lower, want.Upper = unit/2*want.Lower, unit/2*want.Upper
		if got, ok := s.limit(v); !ok || got != want {
			t.Errorf("variable %d: %+v, not %+v", v, got, want)
		}
		n := 0
		for _, b := range []float64{want.Lower, want.Upper} {
			if !math.IsInf(b, 0) {
				n++
			}
		}
		if list := s.constraintsOf(v); len(list) != n {
			t.Errorf("variable %d: constraints %+v", v, list)
		}
	}
	for name, l := range map[string]Limit{"free": Free, "a bend": {Lower: -inf, Upper: inf, Bend: 1}} {
		s.Limits.Others = l
		if got, ok := s.limit(0); ok || s.constraintsOf(0) != nil {
			t.Errorf("%s: a line is limited by %+v", name, got)
		}
	}
	if s.Limits = nil; s.constraintsOf(0) != nil || s.projection(s.Groups) != nil || s.constraints(nil, nil, nil) != nil {
		t.Error("limits without limits")
	}
	// Curves have limits of their form alone, and categories none.
	c.bins = 3
	s = limited(t, c, Limit{Lower: 1, Upper: 2}, map[int]Limit{1: {Lower: -inf, Upper: inf, Slope: 1}, 2: {Lower: -inf, Upper: inf, Bend: -1}})
	for v, want := range []int{0, len(s.Design.KnotsOf(1)) - 1, len(s.Design.KnotsOf(2)) - 2} {
		if _, ok := s.limit(v); ok != (want > 0) || len(s.constraintsOf(v)) != want {
			t.Errorf("curve %d: %d constraints, not %d", v, len(s.constraintsOf(v)), want)
		}
	}
	texts := normal(1, 60, 2, 0, 1, 1)
	texts.texts = 1
	for i := range texts.y {
		texts.x[2*i] = float64(i % 3)
	}
	s = limited(t, texts, Limit{Lower: 1, Upper: 2}, nil)
	for v := range 2 {
		if _, ok := s.limit(v); ok != (v < s.Design.Numbers) {
			t.Errorf("variable %d of texts: limited %v", v, ok)
		}
	}
}

// A step is projected to the limits of the variables of a group, and a gradient to the directions that they leave.
func TestProjection(t *testing.T) {
	inf := math.Inf(1)
	c := normal(1, 60, 4, 0, 1, 1)
	c.groups = [][]string{{"x3", "x1"}}
	s := limited(t, c, Free, map[int]Limit{0: {Lower: -2, Upper: 4}, 1: {Lower: 0, Upper: inf}, 3: {Lower: -inf, Upper: 0}})
	unit, _ := s.Design.Units(0)
	project := s.projection(s.Groups)
	for name, c := range map[string]struct {
		group    int
		at, want []float64
	}{
		"a group":     {0, []float64{5, -5}, []float64{0, 0}},
		"its inside":  {0, []float64{-5, 5}, []float64{-5, 5}},
		"above":       {1, []float64{100}, []float64{2 * unit}},
		"below":       {1, []float64{-100}, []float64{-unit}},
		"not limited": {2, []float64{-100}, []float64{-100}},
	} {
		if project(c.group, c.at); !slices.Equal(c.at, c.want) {
			t.Errorf("%s: %v, not %v", name, c.at, c.want)
		}
	}
	along := s.feasibleDirections()
	for name, c := range map[string]struct {
		group      int
		grad, want []float64
	}{
		"a group":        {0, []float64{-5, 5}, []float64{0, 0}},
		"its inside":     {0, []float64{5, -5}, []float64{-5, 5}},
		"zero is inside": {1, []float64{7}, []float64{-7}},
		"not limited":    {2, []float64{3}, []float64{-3}},
	} {
		if got := along(c.group, c.grad); !slices.Equal(got, c.want) {
			t.Errorf("direction of %s: %v, not %v", name, got, c.want)
		}
	}
	if s.Limits = nil; !slices.Equal(s.feasibleDirections()(0, []float64{3}), []float64{3}) {
		t.Error("without limits a gradient stays")
	}
	c.groups, c.bins = nil, 4
	s = limited(t, c, Limit{Lower: -inf, Upper: inf, Slope: 1}, map[int]Limit{1: Free})
	project = s.projection(s.Groups)
	for range 2 { // the second time with the constraints from memory
		beta := make([]float64, len(s.Design.KnotsOf(0)))
		for i := range beta {
			beta[i] = -float64(i * i)
		}
		if project(0, beta); !near(beta[0], beta[len(beta)-1], 1e-9) || near(beta[0], 0, 1e-9) {
			t.Errorf("a falling curve becomes %v", beta)
		}
		free := []float64{3, 1, 2, 5, 4}
		if project(1, free); !slices.Equal(free, []float64{3, 1, 2, 5, 4}) {
			t.Errorf("a free curve becomes %v", free)
		}
	}
}

// A fit keeps limits to the last bit in the units of the table, and is the optimum under them.
func TestLimitedFit(t *testing.T) {
	inf := math.Inf(1)
	for seed := range uint64(8) {
		c := normal(seed, 90, 4, 0.5, 0.3, 2, -1, 0.5)
		for i := range c.x {
			c.x[i] *= []float64{1, 30, 0.01, 1}[i%4]
		}
		s := limited(t, c, Limit{Lower: -0.1, Upper: 0.1}, map[int]Limit{0: {Lower: -inf, Upper: 1. / 3}, 1: {Lower: -1. / 70, Upper: inf}, 2: {Lower: 0, Upper: inf, Slope: 1}})
		f, err := s.Learn(t.Context(), all(4), 0, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		least := f.Solution.Objective
		for _, v := range f.Variables() {
			unit, _ := s.Design.Units(v.Number)
			given, own := s.Limits.Of[v.Number]
			if !own {
				given = s.Limits.Others
			}
			if b := v.Values[0] / unit * 2; b < given.Lower || b > given.Upper {
				t.Errorf("seed %d: coefficient %v of variable %d is not within %+v", seed, b, v.Number, given)
			}
			l, _ := s.limit(v.Number)
			for _, step := range []float64{-1e-3, 1e-3} { // no other coefficient within the limit is better
				beta := slices.Clone(f.result().Beta)
				if beta[v.Number] += step; beta[v.Number] >= l.Lower && beta[v.Number] <= l.Upper {
					if other, err := f.objective().Mean(t.Context(), beta); err != nil || other < least-1e-9 {
						t.Errorf("seed %d: %v with another coefficient %d, not %v: %v", seed, other, v.Number, least, err)
					}
				}
			}
		}
	}
}

// Curves keep their form, also in a group with others, and with several in one problem.
func TestLimitedCurves(t *testing.T) {
	inf := math.Inf(1)
	c := normal(3, 200, 3, 0, 0.2)
	for i := range c.y {
		c.y[i] += c.x[3*i]*c.x[3*i] - c.x[3*i+1]*c.x[3*i+1] + c.x[3*i+2]
	}
	c.bins = 5
	for name, groups := range map[string][][]string{"single": nil, "in a group": {{"x0", "x2"}}} {
		c.groups = groups
		s := limited(t, c, Free, map[int]Limit{0: {Lower: -inf, Upper: inf, Slope: 1}, 1: {Lower: -inf, Upper: inf, Bend: 1}, 2: {Lower: -inf, Upper: inf, Slope: -1}})
		f, err := s.Learn(t.Context(), all(s.Groups.Count()), 1e-4, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range f.Variables() {
			falls, rises, bends := 0.0, 0.0, 0.0
			knots := s.Design.KnotsOf(v.Number)
			for i := 1; i < len(knots); i++ {
				falls, rises = max(falls, v.Values[i-1]-v.Values[i]), max(rises, v.Values[i]-v.Values[i-1])
				if i > 1 {
					left, right := (v.Values[i-1]-v.Values[i-2])/(knots[i-1]-knots[i-2]), (v.Values[i]-v.Values[i-1])/(knots[i]-knots[i-1])
					bends = max(bends, left-right)
				}
			}
			if v.Number == 0 && falls > 0 || v.Number == 1 && bends > 1e-9 || v.Number == 2 && rises > 0 {
				t.Errorf("%s: curve %d has the values %v", name, v.Number, v.Values)
			}
		}
	}
}
