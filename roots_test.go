package fsa_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/model"
)

// wordCounts returns a sparse table whose target depends on a function of the counts of three words.
func wordCounts(t *testing.T, of func(count float64) float64) (*data.Dataset, *data.Block) {
	t.Helper()
	rng := rand.New(rand.NewPCG(31, 1))
	const rows, cols = 300, 40
	b := &data.Block{Rows: rows, Start: []int{0}}
	for range rows {
		sum := 0.5 * rng.NormFloat64()
		for j := range uint32(cols) {
			if rng.IntN(3) == 0 {
				v := math.Ceil(math.Exp(1.5 * rng.NormFloat64()))
				b.Index, b.Value = append(b.Index, j), append(b.Value, v)
				if j < 3 {
					sum += of(v)
				}
			}
		}
		b.Start, b.Label = append(b.Start, len(b.Index)), append(b.Label, sum)
	}
	d, err := data.Load(background, &reader{&data.Schema{Width: cols, Sparse: true, Open: true}, []*data.Block{b}}, "counts", data.Roles{})
	if err != nil {
		t.Fatal(err)
	}
	return d, b
}

// The square roots of the numbers of a sparse table are taken where they predict better, unless lines are asked for. The
// model then has curves, with which new rows are predicted as the training rows were.
func TestRoots(t *testing.T) {
	line := func(count float64) float64 { return count }
	for name, c := range map[string]struct {
		of    func(float64) float64
		o     fsa.Options
		roots bool
	}{
		"roots":       {math.Sqrt, fsa.Options{K: 3}, true},
		"roots, open": {math.Sqrt, fsa.Options{}, true},
		"lines given": {math.Sqrt, fsa.Options{K: 3, Bins: fsa.None}, false},
		"lines":       {line, fsa.Options{K: 3}, false},
		"constrained": {math.Sqrt, fsa.Options{K: 3, Objective: fsa.Objective{Constraints: []fsa.Constraint{{Column: model.AllColumns, Kind: model.Nonnegative}}}}, false},
	} {
		d, block := wordCounts(t, c.of)
		m, err := fsa.Fit(t.Context(), d, c.o)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range m.Selected() {
			if (v.Knots != nil) != c.roots {
				t.Errorf("%s: column %d is a curve: %v", name, v.Index, v.Knots != nil)
			}
		}
		p, err := m.Predict(t.Context(), &reader{&data.Schema{Width: 40, Sparse: true, Open: true}, []*data.Block{block}})
		if err != nil {
			t.Fatal(err)
		}
		var squares, all, mean float64
		for _, y := range block.Label {
			mean += y / float64(block.Rows)
		}
		for i, y := range block.Label {
			squares, all = squares+(p.Decision[i]-y)*(p.Decision[i]-y), all+(y-mean)*(y-mean)
		}
		if got, want := 1-squares/all, m.Training().Metrics["r2"]; math.Abs(got-want) > 1e-5 {
			t.Errorf("%s: R² of the predictions is %v, and of training %v", name, got, want)
		}
	}
}
