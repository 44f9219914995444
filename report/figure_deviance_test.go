package report

import (
	"math"
	"strings"
	"testing"
)

// TestHalfDeviance compares deviances with calculations by hand. They are 0 for a perfect prediction only.
func TestHalfDeviance(t *testing.T) {
	for _, c := range []struct {
		m          Model
		y, μ, want float64
	}{
		{Model{Loss: "poisson"}, 0, 2, 2},
		{Model{Loss: "poisson"}, 3, 2, 3*math.Log(1.5) - 1},
		{Model{Loss: "negbinomial", Size: 1}, 0, 2, math.Log(3)},
		{Model{Loss: "gamma"}, 1, math.E, 1 / math.E},
		{Model{Loss: "tweedie", Power: 1.5}, 0, 4, 4},
		{Model{Loss: "tweedie", Power: 1.5}, 9, 4, -12 + 9 + 4},
	} {
		if got, ok := c.m.halfDeviance(c.y, c.μ); !ok || math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: y = %v, μ = %v: %v, want %v", c.m.Loss, c.y, c.μ, got, c.want)
		}
		if got, ok := c.m.halfDeviance(c.μ, c.μ); !ok || math.Abs(got) > 1e-12 {
			t.Errorf("%s: %v of a perfect prediction", c.m.Loss, got)
		}
	}
	if _, ok := (&Model{Loss: "squared"}).halfDeviance(1, 1); ok {
		t.Error("squared errors have a deviance residual")
	}
}

// TestResponseFigures checks which figures counts and quantiles have.
func TestResponseFigures(t *testing.T) {
	for _, c := range []struct {
		model Model
		rows  string
		want  string
	}{
		{Model{Task: Regression, Loss: "poisson", Link: "exp"}, "row,fold,target,prediction\n1,1,0,1.5\n2,1,3,2.5\n", "predicted calibration residuals"},
		{Model{Task: Regression, Loss: "squared"}, "row,fold,target,prediction\n1,1,0,1.5\n2,1,3,2.5\n", "predicted residuals"},
		{Model{Task: Regression, Loss: "quantile", Quantiles: []float64{0.9}}, "row,fold,target,prediction\n1,1,0,1.5\n2,1,3,2.5\n", "predicted coverage"},
		{Model{Task: Regression, Loss: "quantile", Quantiles: []float64{0.1, 0.9}}, "row,fold,target,quantile_0.1,quantile_0.9\n1,1,0,1.5,2\n2,1,3,2.5,4\n", "coverage"},
		{Model{Task: Regression, Loss: "quantile", Quantiles: []float64{0.1, 0.5, 0.9}}, "row,fold,target,quantile_0.1,quantile_0.9\n1,1,0,1.5,2\n2,1,3,2.5,4\n", ""},
	} {
		rows, err := ReadRows(strings.NewReader(c.rows), "rows.csv")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range qualityFigures(&Run{Rows: rows, Model: c.model}) {
			names = append(names, f.ID)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.model.Loss, got, c.want)
		}
	}
	f := coverageFigure([]float64{0.5}, [][]float64{{1, 1, 1, 1}}, []float64{0, 1, 2, 3})
	if !strings.Contains(f.Caption, "50% at 0.5") || len(f.Table) != 2 {
		t.Error(f.Caption, f.Table)
	}
}
