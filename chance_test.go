package fsa_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/internal/need"
)

// noise returns a table with weights whose labels are independent of its columns, some of which are categorical.
func noise(t *testing.T, seed uint64, rows, columns int) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &data.Schema{Width: columns + 2, Categories: map[int][]string{}}
	for j := range columns {
		s.Names = append(s.Names, fmt.Sprintf("x%d", j))
	}
	s.Names = append(s.Names, "text", "y")
	s.Categories[columns] = []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	b := data.NewBuilder("noise", s, data.Roles{Target: "y"})
	block := &data.Block{Rows: rows}
	for i := range rows {
		for range columns {
			block.Dense = append(block.Dense, rng.NormFloat64())
		}
		block.Dense = append(block.Dense, float64(rng.IntN(8)), float64(i%2))
	}
	if err := b.Add(block); err != nil {
		t.Fatal(err)
	}
	d, err := b.Dataset(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestNothingLeaks validates models of random labels. Scales, knots, categories, ridges and the selection are all learned
// inside the folds, so no measure on held-out rows is better than chance. With a selection outside of the folds, the AUC
// would be near 1.
func TestNothingLeaks(t *testing.T) {
	need.Long(t)
	tables := need.Sweep(4, 8)
	for name, o := range map[string]fsa.Options{
		"lines":      {K: 10},
		"curves":     {K: 5, Bins: 3},
		"quick":      {K: 10, Quick: true, Validation: fsa.Validation{Always: true}},
		"calibrated": {K: 10, Loss: "svm", Validation: fsa.Validation{Calibrate: true}},
		"repeated":   {K: 10, Validation: fsa.Validation{Repeats: 2, Folds: 5}},
		"open":       {},
	} {
		sum, signals := 0.0, 0
		for seed := range tables {
			m, err := fsa.Fit(t.Context(), noise(t, 1000+uint64(seed), 60, 150), o)
			if err != nil {
				t.Fatal(err)
			}
			v := m.Validation()
			sum += v.Metrics["auc"]
			if v.Signal() {
				signals++
			}
		}
		if auc := sum / float64(tables); auc > 0.62 {
			t.Errorf("%s: the mean AUC of random labels on held-out rows is %.2f", name, auc)
		}
		if signals > 1 {
			t.Errorf("%s: a signal was found on %d of %d tables without any", name, signals, tables)
		}
	}
}
