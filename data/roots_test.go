package data_test

import (
	"math"
	"testing"

	"fsa/data"
)

// RootCurve is close to the square root from a hundredth of the largest number on, in the units of that number, and never
// falls.
func TestRootCurve(t *testing.T) {
	for _, most := range []float64{1e-30, 1, 5, 1572} {
		at, values := data.RootCurve(most)
		if len(at) != data.RootBins+1 || at[0] != 0 || values[0] != 0 || at[data.RootBins] != most || values[data.RootBins] != most {
			t.Fatalf("%v: from %v to %v, %v to %v", most, at[0], at[len(at)-1], values[0], values[len(values)-1])
		}
		for i := range 1000 {
			x := most * float64(i+10) / 1010
			bin, alpha := at.Locate(x)
			got, want := (1-alpha)*values[bin]+alpha*values[bin+1], math.Sqrt(x/most)*most
			if math.Abs(got-want) > 0.02*want || !(values[bin] < values[bin+1]) {
				t.Errorf("the root of %v of %v is %v, not %v", x, most, got, want)
			}
		}
	}
}

// A design of roots has the values of the curve in its cells, for the largest numbers of the rows with a weight; the
// dataset does not change.
func TestRootsDesign(t *testing.T) {
	rows := [][]float64{{1, 0, 3}, {0, 4, 0}, {2, 1, 0}, {9, 0, 1}, {0, 0, 2}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}}
	weight := []float64{1, 1, 1, 0, 1, 1, 1, 1, 1, 1}
	d := sparse(t, rows, weight, len(rows))
	if !d.Roots() {
		t.Fatal("no roots")
	}
	before := d.Columns[0]
	g, err := d.Design(background, data.DesignOptions{Scale: data.ScaleNone, Roots: true})
	if err != nil || d.Columns[0] != before || !g.Roots {
		t.Fatalf("error %v, column %+v", err, d.Columns[0])
	}
	plain, err := d.Design(background, data.DesignOptions{Scale: data.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	for j, most := range []float64{2, 4, 3} {
		at, values := data.RootCurve(most)
		for i := range rows {
			bin, alpha := at.Locate(rows[i][j])
			want := (1-alpha)*values[bin] + alpha*values[bin+1]
			if got := cell(t, g, i, j); math.Abs(got-want) > 1e-6 {
				t.Errorf("cell %d, %d is %v, not %v", i, j, got, want)
			}
			if got := cell(t, plain, i, j); got != rows[i][j] {
				t.Errorf("cell %d, %d became %v", i, j, got)
			}
		}
	}
	for name, c := range map[string][][]float64{"a negative number": {{1, -1}, {2, 0}, {0, 3}}, "a missing number": {{1, math.NaN()}, {2, 1}, {0, 3}}, "flags": {{1, 0}, {0, 1}, {1, 1}}} {
		if sparse(t, c, nil, len(c)).Roots() {
			t.Errorf("%s: roots are taken", name)
		}
	}
	if dense(t, rows, nil, len(rows)).Roots() {
		t.Error("roots of a dense table are taken")
	}
}

// cell returns a cell of a design.
func cell(t *testing.T, g *data.Design, row, column int) float64 {
	t.Helper()
	one, err := g.Select(background, []int{row}, []int{column})
	if err != nil {
		t.Fatal(err)
	}
	block, err := one.X.Slice(background, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	z := []float64{0}
	block.Mul(z, []float64{one.Scale[0]})
	return z[0]
}
