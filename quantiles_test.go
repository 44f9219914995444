package fsa_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// spreading returns rows whose spread grows with column 3 and whose mean depends on columns 1 and 4, of eight.
func spreading(t *testing.T, n int) *data.Dataset {
	t.Helper()
	const seed = 12
	rng := rand.New(rand.NewPCG(seed, 0))
	x, y := make([]float64, 0, 8*n), make([]float64, n)
	for i := range n {
		row := make([]float64, 8)
		for j := range row {
			row[j] = rng.NormFloat64()
		}
		x = append(x, row...)
		y[i] = row[1] - row[4] + math.Exp(row[3]/2)*rng.NormFloat64()
	}
	d, err := data.FromRows(nil, 8, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestQuantilesApart checks that without a ridge and a selection, several quantiles are those of separate fits, and
// that a saved model predicts the same.
func TestQuantilesApart(t *testing.T) {
	d := spreading(t, 300)
	taus := []float64{0.1, 0.5, 0.8}
	o := fsa.Options{K: 8, Loss: "quantile", Bins: fsa.None, Quick: true, Objective: fsa.Objective{Ridge: fsa.None, Quantiles: taus}}
	all := fit(t, d, o)
	again, err := model.Read(bytes.NewReader(modelBytes(t, all)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := again.PredictDataset(background, d)
	if err != nil {
		t.Fatal(err)
	}
	o.Objective.Quantiles = nil
	for c, tau := range taus {
		o.Objective.Quantile = tau
		one, err := fit(t, d, o).PredictDataset(background, d)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range one.Decision {
			if got := p.Decision[3*i+c]; math.Abs(got-v) > 2e-3 {
				t.Fatalf("row %d: quantile %v is %v, and %v by itself", i, tau, got, v)
			}
		}
	}
}

// TestQuantilesDoNotCross predicts rows far from those of training, and compares the pinball loss with that of the
// decision values. Rows are selected once, for all quantiles, with the same model for any number of threads.
func TestQuantilesDoNotCross(t *testing.T) {
	d := spreading(t, 300)
	o := fsa.Options{K: 3, Loss: "quantile", Bins: fsa.None, Objective: fsa.Objective{Quantiles: []float64{0.1, 0.5, 0.9}}, Validation: fsa.Validation{Folds: 2}, Run: fsa.Run{Threads: 1}}
	m := fit(t, d, o)
	var selected []int
	for _, v := range m.Selected() {
		selected = append(selected, v.Index)
	}
	for _, j := range []int{1, 3, 4} { // column 3 moves the outer quantiles alone
		if !slices.Contains(selected, j) {
			t.Errorf("column %d is not among the selected %v", j, selected)
		}
	}
	o.Run.Threads = 3
	if other := fit(t, d, o); !bytes.Equal(modelBytes(t, m), modelBytes(t, other)) {
		t.Error("another model with 3 threads")
	}
	p, err := m.PredictDataset(background, spreadOut(t))
	if err != nil {
		t.Fatal(err)
	}
	values, crossed := p.Values(), false
	for row := range slices.Chunk(values, 3) {
		if !slices.IsSorted(row) {
			t.Fatalf("predicted quantiles %v cross", row)
		}
	}
	for row := range slices.Chunk(p.Decision, 3) {
		crossed = crossed || !slices.IsSorted(row)
	}
	if !crossed {
		t.Error("no decision values cross, so the test shows nothing")
	}
	p, err = m.PredictDataset(background, d)
	if err != nil {
		t.Fatal(err)
	}
	measures, err := p.Measures(d.Target)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"below_0.1": 0.1, "below_0.5": 0.5, "below_0.9": 0.9} {
		if math.Abs(measures[name]-want) > 0.03 {
			t.Errorf("%s is %v", name, measures[name])
		}
	}
	raw := 0.0
	for i, y := range d.Target.Y {
		for c, tau := range o.Objective.Quantiles {
			u := y - p.Decision[3*i+c]
			raw += max(tau*u, (tau-1)*u) / float64(3*len(d.Target.Y))
		}
	}
	if got := measures["pinball"]; got > raw+1e-12 || got < raw/2 {
		t.Errorf("pinball loss %v of sorted quantiles, %v of others", got, raw)
	}
	for _, bad := range [][]float64{{0.5}, {0.9, 0.1}, {0.1, 0.1}, {0, 0.5}, {0.5, 1}, {0.5, math.NaN()}} {
		o.Objective.Quantiles = bad
		if _, err := fsa.Fit(background, d, o); !errors.Is(err, fsa.ErrOptions) {
			t.Errorf("quantiles %v: error %v", bad, err)
		}
	}
}

// spreadOut returns rows far from those of spreading.
func spreadOut(t *testing.T) *data.Dataset {
	t.Helper()
	d := make([]float64, 0, 8*50)
	for i := range 8 * 50 {
		d = append(d, float64(i*37%23-11))
	}
	out, err := data.FromRows(nil, 8, d, make([]float64, 50))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
