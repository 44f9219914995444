package validate

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

func TestCurveMeans(t *testing.T) {
	// e = [.3, .2, .4, .1, .25]; numpy.mean(e), numpy.std(e, ddof=1) / sqrt(5)
	c := NewCurve([]int{3}, [][]float64{{.3, .2, .4, .1, .25}}, nil, 1)
	near(t, "mean", c.Points[0].Mean, 0.25)
	near(t, "standard error", c.Points[0].SE, 0.05)

	// e = [.3, .2, .4, .1]; w = [1, 2, 3, 4]; m = numpy.average(e, weights=w),
	// sqrt(numpy.average((e - m)**2, weights=w) / 3), as cv.glmnet has it
	e, w := []float64{.3, .2, .4, .1}, []float64{1, 2, 3, 4}
	c = NewCurve([]int{3}, [][]float64{e}, w, 1)
	near(t, "weighted mean", c.Points[0].Mean, 0.23)
	near(t, "weighted standard error", c.Points[0].SE, 0.0732575365861197)

	// A repeat with the same errors changes nothing.
	c = NewCurve([]int{3}, [][]float64{append(e, e...)}, append(w, w...), 2)
	near(t, "repeated mean", c.Points[0].Mean, 0.23)
	near(t, "repeated standard error", c.Points[0].SE, 0.0732575365861197)

	c = NewCurve([]int{1, 2}, [][]float64{{.3}, {math.NaN()}}, nil, 1)
	if !math.IsNaN(c.Points[0].SE) || !math.IsNaN(c.Points[1].Mean) || c.Points[0].Mean != .3 {
		t.Errorf("one fold gives %+v", c.Points)
	}
}

func choose(t *testing.T, c *Curve, rule string, size int) {
	t.Helper()
	at, err := c.Choose(rule)
	if err != nil {
		t.Error(err)
	} else if got := c.Points[at].Size; got != size {
		t.Errorf("%s chooses %d, want %d", rule, got, size)
	}
}

func TestChoose(t *testing.T) {
	nan := math.NaN()
	// The error falls from size 0 to 8 and rises again. The error at 2 is exactly the lowest one plus its standard error,
	// 0.1.
	c := &Curve{}
	for _, p := range []struct {
		size     int
		mean, se float64
	}{{0, 1, .1}, {1, .75, .1}, {2, .5, .3}, {4, .45, .1}, {8, .4, .1}, {16, .4, .01}, {32, nan, nan}} {
		c.Points = append(c.Points, Point{Size: p.size, Mean: p.mean, SE: p.se, Loss: nan})
	}
	choose(t, c, "min", 8)
	choose(t, c, "one-se", 2)
	c.Points[4].SE = nan // one fold
	choose(t, c, "one-se", 8)
	// Without a signal, no size is better than the null model by a standard error.
	none := NewCurve([]int{0, 1, 5}, [][]float64{{1, 1.1, .9}, {1.2, .9, .8}, {1.5, 1, 1.2}}, nil, 1)
	choose(t, none, "min", 1)
	choose(t, none, "one-se", 0)
	choose(t, none, "paired", 0)
	choose(t, c, "paired", 8) // the errors of folds are not known

	// In all folds 2 is worse than 3, but by little compared with the spread over folds.
	clear := NewCurve([]int{0, 1, 2, 3, 4}, [][]float64{{9, 10, 11, 12}, {3, 4, 5, 6}, {1.2, 2.3, 3.2, 4.3}, {1, 2, 3, 4}, {0.9, 2.1, 2.9, 4}}, nil, 1)
	choose(t, clear, "min", 4)
	choose(t, clear, "paired", 3)
	choose(t, clear, "one-se", 2)

	// Size 1 is not significantly worse than 2, but explains a tenth less; 2 explains a hundredth less than 3.
	noisy := NewCurve([]int{0, 1, 2, 3}, [][]float64{{10, 10, 10}, {0.5, 3, -0.5}, {1, 0, 0.2}, {0, 1, 0}}, nil, 1)
	choose(t, noisy, "min", 3)
	choose(t, noisy, "paired", 2)
	some := NewCurve([]int{1, 2, 3}, [][]float64{{0.5, 3, -0.5}, {1, 0, 0.3}, {0, 1, 0}}, nil, 1)
	choose(t, some, "paired", 1) // the null model is not known

	for _, c := range []struct {
		curve *Curve
		rule  string
		want  string
	}{
		{c, "best", "unknown rule \"best\": it must be paired, one-se, min, aic, bic, ebic, gic"},
		{c, "bic", "use another rule"},
		{&Curve{}, "min", "use another"},
		{&Curve{}, "one-se", "use another"},
		{&Curve{}, "ebic", "use another"},
		{&Curve{Points: []Point{{Size: 5, Loss: 3, DF: 5}}, Rows: 10}, "gic", "use another"},
		{&Curve{Points: []Point{{Size: 5, Loss: 3, DF: 5}}, Variables: 10}, "gic", "use another"},
	} {
		if _, err := c.curve.Choose(c.rule); !errors.Is(err, ErrChoice) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	for _, rule := range RuleNames() {
		if DescribeRule(rule) == "" {
			t.Errorf("rule %s has no description", rule)
		}
	}
	if DescribeRule("best") != "" {
		t.Error("an unknown rule has a description")
	}
}

// Expected values computed in Python, with math.log and math.comb.
func TestCriteria(t *testing.T) {
	const loss, df, rows, selected, variables = 123.5, 7, 200, 6, 1000
	near(t, "AIC", AIC(loss, df), 137.5)
	near(t, "BIC", BIC(loss, df, rows), 160.58822156583625)
	near(t, "EBIC", EBIC(loss, df, rows, selected, variables, 1), 230.2927273391104)
	near(t, "EBIC of ½", EBIC(loss, df, rows, selected, variables, .5), 195.44047445247332)
	near(t, "EBIC of 0", EBIC(loss, df, rows, selected, variables, 0), 160.58822156583625)
	near(t, "GIC", GIC(loss, df, rows, variables), 204.12542029435917)
	near(t, "NormalLoss", NormalLoss(math.E, 10), 10)
	if got := EBIC(loss, df, rows, 11, 10, 1); !math.IsNaN(got) {
		t.Errorf("EBIC of 11 variables of 10 is %v", got)
	}
}

// The best of 1000 noise variables lowers the loss by up to about 2 log(1000). AIC and BIC accept it; the criteria that
// account for the number of variables do not.
func TestCriteriaChoose(t *testing.T) {
	c := &Curve{Rows: 200, Variables: 1000}
	for size, loss := range []float64{500, 400, 300, 290, 281, 280} {
		c.Points = append(c.Points, Point{Size: size, Mean: math.NaN(), Loss: loss, DF: float64(size + 1)})
	}
	choose(t, c, "aic", 4)
	choose(t, c, "bic", 4)
	choose(t, c, "ebic", 2)
	choose(t, c, "gic", 2)
	// Of several fits without an error, the smallest is chosen.
	c.Points[3].Loss, c.Points[4].Loss = NormalLoss(0, 200), NormalLoss(0, 200)
	choose(t, c, "ebic", 3)
}

func TestCurveShapesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"sizes":   func() { NewCurve([]int{1, 2}, [][]float64{{1}}, nil, 1) },
		"order":   func() { NewCurve([]int{2, 2}, [][]float64{{1}, {1}}, nil, 1) },
		"repeats": func() { NewCurve([]int{2}, [][]float64{{1, 2, 3}}, nil, 2) },
		"weights": func() { NewCurve([]int{2}, [][]float64{{1, 2}}, []float64{1}, 1) },
		"folds":   func() { NewCurve([]int{2}, [][]float64{{}}, nil, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

func TestCurveKeepsItsErrors(t *testing.T) {
	e := [][]float64{{1, 2}}
	c := NewCurve([]int{4}, e, nil, 1)
	e[0][0] = 7
	if !slices.Equal(c.Points[0].Errors, []float64{1, 2}) {
		t.Error("the curve shares the errors of its caller")
	}
}
