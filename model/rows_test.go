package model_test

import (
	"math"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
)

// TestPredictDataset compares the predictions of a dataset with those of the rows that it
// was made of, for numbers with gaps, texts and curves.
func TestPredictDataset(t *testing.T) {
	const rows = 80
	schema := &data.Schema{Width: 4, Names: []string{"year", "city", "gap", "zero"}, Categories: map[int][]string{1: {"Rome", "Oslo", "Lima"}}}
	b := &data.Block{Rows: rows}
	var y []float64
	for i := range rows {
		year, city, gap := 2000+float64(i%17), float64(i%3), math.Sin(float64(i))
		y = append(y, year-2000+5*city+3*gap)
		if i%9 == 0 {
			gap = math.NaN()
		}
		if i%11 == 0 {
			city = math.NaN()
		}
		b.Dense = append(b.Dense, year, city, gap, 0)
	}
	builder := data.NewBuilder("rows", schema, data.Roles{TargetVector: &data.Vector{Values: y}})
	if err := builder.Add(b); err != nil {
		t.Fatal(err)
	}
	d, err := builder.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, bins := range []int{0, 3} {
		m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 3, Bins: bins, Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		sc, err := m.Scorer(schema)
		if err != nil {
			t.Fatal(err)
		}
		want, err := sc.Score(b)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.PredictDataset(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range got.Decision {
			if math.Abs(z-want[i]) > 1e-4 { // a dataset holds numbers as float32
				t.Fatalf("%d bins, row %d: %v, want %v", bins, i, z, want[i])
			}
		}
	}
}

// TestPredictRows predicts plain rows by the names of their columns, in any order.
func TestPredictRows(t *testing.T) {
	var x, y []float64
	for i := range 100 {
		a, b := math.Sin(float64(i)), math.Cos(float64(3*i))
		x, y = append(x, a, b), append(y, 2*b+1)
	}
	d, err := data.FromRows([]string{"a", "b"}, 2, x, y)
	if err != nil {
		t.Fatal(err)
	}
	m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 1})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.PredictRows([]string{"b", "other"}, []float64{0.5, 7, -0.5, 8})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(p.Decision, []float64{2, 0}, func(a, b float64) bool { return math.Abs(a-b) < 1e-3 }) {
		t.Errorf("predicted %v, want 2 and 0", p.Decision)
	}
	if _, err := m.PredictRows([]string{"a"}, []float64{1}); err == nil {
		t.Error("rows without the column of the model were predicted")
	}
	if _, err := m.PredictRows([]string{"a", "b"}, []float64{1}); err == nil {
		t.Error("half a row was predicted")
	}
}
