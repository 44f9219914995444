package report

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The cells of a pair of numbers are what the model adds at their centres, or at each value if there are few; the bars
// beside them are shares of the rows; the CSV has the same numbers, and the page shows the picture.
func TestHeat(t *testing.T) {
	add := func(a, b float64) float64 { return (a - 5) * (b - 1) }
	even := &Density{Name: "dose", Edges: []float64{2, 10}, Counts: []int{80}}
	for i := range 41 {
		even.Quantiles = append(even.Quantiles, 2+8*float64(i)/40)
	}
	few := &Density{Name: "items", Index: 1, Edges: []float64{0, 0.5, 1, 1.5, 2, 2.5, 3}, Counts: []int{60, 0, 15, 0, 0, 5}, Quantiles: []float64{0, 0, 0, 1, 3}}
	long := &Density{Name: "items", Index: 1, Edges: []float64{0, 3}, Counts: []int{80}}
	for i := range 41 {
		long.Quantiles = append(long.Quantiles, 3*math.Pow(float64(i)/40, 6))
	}
	for name, c := range map[string]struct {
		densities []Density
		rows      int // of cells
		step      float64
	}{
		"unknown": {nil, heatCells, 5},
		"few":     {[]Density{*even, *few}, 4, 2},
		"long":    {[]Density{*even, *long}, heatCells, 5},
	} {
		pair := Interaction{Names: [2]string{"dose", "items"}, Strength: 1, At: add, Low: [2]float64{2, 0}, High: [2]float64{10, 3}}
		r := &Run{Name: "run", Model: Model{Task: Regression, Loss: "squared", Target: "y", Outputs: 1, Columns: 3, Intercept: []float64{0}, Interactions: []Interaction{pair}}}
		if c.densities != nil {
			r.Densities = &Densities{Variables: c.densities}
		}
		f := interactionFigure(r, 0)
		h := f.chart.Heat
		if len(h.Z) != heatCells || len(h.Z[0]) != c.rows || len(h.X) != heatCells+1 || len(h.Y) != c.rows+1 || len(f.Table) != 1+heatCells*c.rows {
			t.Fatalf("%s: %d × %d cells, %d lines", name, len(h.Z), len(h.Z[0]), len(f.Table))
		}
		if !slices.IsSorted(h.X) || !slices.IsSorted(h.Y) {
			t.Errorf("%s: edges %v, %v", name, h.X, h.Y)
		}
		for i, column := range h.Z {
			for j, z := range column {
				line := f.Table[1+i*c.rows+j]
				a, b := number(t, line[0]), number(t, line[1])
				if z != add(a, b) || line[2] != exact(z) || a < h.X[i] || a > h.X[i+1] || b < h.Y[j] || b > h.Y[j+1] || a < 2 || a > 10 || b < 0 || b > 3 {
					t.Fatalf("%s: cell %d, %d of %v is %v at %v, %v", name, i, j, line, z, a, b)
				}
			}
		}
		for side, d := range h.Margins {
			if (d != nil) != (c.densities != nil) || d != nil && math.Abs(slices.Max(d)-1) > 1e-12 {
				t.Errorf("%s: the bars of side %d are %v", name, side, d)
			}
		}
		if name == "few" && !slices.Equal(h.Margins[1], []float64{1, 0.25, 0, 1.0 / 12}) {
			t.Errorf("shares %v", h.Margins[1])
		}
		if (f.chart.WarpY != nil) != (name == "long") || strings.Contains(f.Caption, "Grey bars") != (c.densities != nil) {
			t.Errorf("%s: %q, %v", name, f.Caption, f.chart.WarpY)
		}
		doc := render(t, r)
		for _, want := range []string{`aria-label="Heat map of what dose and items add together: from `, `class="cell f1 h8"`, `class="cell f2 h`, "blue raises the prediction"} {
			if !strings.Contains(doc, want) {
				t.Errorf("%s: the page has no %q", name, want)
			}
		}
		for _, format := range Formats() {
			var b strings.Builder
			if err := Plot(&b, r, "interactions", format, nil); err != nil || strings.Contains(b.String(), "NaN") {
				t.Errorf("%s: %s: %v", name, format, err)
			}
		}
	}
}

// A picture of a pair has finite positions whatever its numbers are.
func TestHeatOfExtremes(t *testing.T) {
	for _, reach := range [][2]float64{{-math.MaxFloat64, math.MaxFloat64}, {1, 1}} {
		for _, z := range []float64{0, 5e-324, -math.MaxFloat64} {
			r := &Run{Name: "run", Model: Model{Task: Regression, Loss: "squared", Outputs: 1, Columns: 3, Intercept: []float64{0}, Interactions: []Interaction{{
				Names: [2]string{"a", "b"}, At: func(_, _ float64) float64 { return z }, Low: [2]float64{reach[0], reach[0]}, High: [2]float64{reach[1], reach[1]}}}}}
			if doc := render(t, r); strings.Contains(doc, "NaN ") || strings.Contains(doc, "Inf ") {
				t.Errorf("%v, %v: there is no place for a cell", reach, z)
			}
		}
	}
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
