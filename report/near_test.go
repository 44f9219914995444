package report

import (
	"strings"
	"testing"
)

// Selections that are nearly as good are listed below the rivals, without that of the model.
func TestNear(t *testing.T) {
	r := sampleRun(3, plainName)
	if strings.Contains(render(t, r), "nearly as good") {
		t.Error("a run without rivals has selections that are nearly as good")
	}
	r.Curve.Near = &Near{Margin: 0.01, Found: 30, Sets: []NearSet{
		{Growth: 0},
		{Growth: 0.00234, Without: []string{"variable 0", "variable 1"}, Instead: []string{"a<b", "c"}},
		{Growth: 0.009, Without: []string{"variable 2"}, Instead: []string{"d"}},
	}}
	page := render(t, r)
	for _, want := range []string{
		"At least 30 sets of as many variables have a training loss within 1% of the lowest.", "The table has the best 2.",
		"0.234%", "variable 0, variable 1", "a&lt;b, c", `data-csv="near"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	if csv := newPage(r).Data.CSV["near"]; csv != "growth,without,instead\n0.00234,\"variable 0, variable 1\",\"a<b, c\"\n0.009,variable 2,d\n" {
		t.Errorf("CSV: %q", csv)
	}
	r.Curve.Near = &Near{Margin: 0.01, Found: 1, Complete: true, Sets: []NearSet{{}}}
	if page = render(t, r); !strings.Contains(page, "No other set of as many variables has a training loss within 1% of the lowest.") || strings.Contains(page, `data-csv="near"`) {
		t.Error("the only selection is not called so")
	}
}

// Contributions to counts are those to a logarithm, and what is predicted is the count.
func TestExampleOfCounts(t *testing.T) {
	r := sampleRun(2, plainName)
	r.Model.Task, r.Model.Loss, r.Model.Link, r.Model.Classes, r.Model.Target = Regression, "poisson", "exp", nil, "claims"
	e := Example{Row: 3, Why: "typical", Target: "1", Decision: -0.219, Says: "0.803", Values: []string{"1", "2"}, Adds: []float64{-0.3, 0.1}}
	r.Examples.Rows = []Example{e}
	f := exampleFigures(r)[0]
	if f.chart.X != "the logarithm of claims" || f.Caption != "Predicted 0.803; true value 1." {
		t.Errorf("%q, %q", f.chart.X, f.Caption)
	}
}

// Curves of several targets are drawn in standard deviations of each, so that none is flat because of its unit; their
// tables are in the units of the targets.
func TestSeveralTargets(t *testing.T) {
	r := &Run{Model: Model{Task: Regression, Loss: "multitarget", Outputs: 2, Names: []string{"sales", "share"},
		Metrics:   map[string]float64{"r2_sales": 0.75, "rmse_sales": 5e5, "r2_share": 0.96, "rmse_share": 0.002},
		Variables: []Variable{{Name: "x", Kind: KindLinear, Coefficients: [][]float64{{2e6}, {0.01}}, Low: -1, High: 1}}}}
	f := responseFigure(r, 0)
	var ends []float64
	for _, c := range f.chart.Curves {
		ends = append(ends, c.Y[len(c.Y)-1])
	}
	if len(ends) != 2 || abs(ends[0]-2) > 1e-9 || abs(ends[1]-1) > 1e-9 || f.chart.Y != "adds (standard deviations)" {
		t.Errorf("%v, %q", ends, f.chart.Y)
	}
	if last := f.Table[len(f.Table)-1]; last[1] != "0.01" {
		t.Errorf("table: %v", f.Table)
	}
	r.Model.Loss = "quantile"
	if f = responseFigure(r, 0); f.chart.Curves[0].Y[1] != 2e6 {
		t.Errorf("quantiles: %v", f.chart.Curves[0].Y)
	}
}

// The ROC curves of forty classes have fewer points in their table, so that the page stays small.
func TestManyClasses(t *testing.T) {
	const classes, rows = 40, 4000
	r := &Run{Model: Model{Task: Classification, Outputs: classes}, Rows: &Rows{}}
	for c := range classes {
		r.Rows.Classes = append(r.Rows.Classes, plainName(c))
	}
	for i := range rows {
		r.Rows.Target = append(r.Rows.Target, r.Rows.Classes[i%classes])
		for c := range classes {
			r.Rows.Probability = append(r.Rows.Probability, float64((i*(c+3))%997)/997)
		}
	}
	figures := classFigures(r)
	if n := len(figures[0].Table); n < classes*leastPoints || n > shownClasses*curvePoints+classes {
		t.Errorf("%d lines", n)
	}
	if n := len(figures[0].chart.Curves[0].X); n != curvePoints {
		t.Errorf("a curve is drawn with %d points", n)
	}
}
