package fsa_test

import (
	"bytes"
	"math"
	"testing"

	"fsa"
	"fsa/data/synth"
	"fsa/model"
)

// The models of the folds reproduce the out-of-fold predictions of cross-validation, also after they were saved and read.
func TestFoldModels(t *testing.T) {
	for name, o := range map[string]fsa.Options{
		"auto": {}, "k": {K: 3, Validation: fsa.Validation{Always: true}},
		"bins": {K: 3, Bins: 4, Validation: fsa.Validation{Always: true}}, "repeats": {K: 3, Validation: fsa.Validation{Repeats: 2}}, "null": {Selection: fsa.Selection{Sizes: []int{0}}},
	} {
		d := made(t, synth.Config{Task: synth.Regression, N: 150, M: 40, K: 3, Seed: 9})
		job, err := fsa.Prepare(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := job.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		e := job.Evidence()
		var file bytes.Buffer
		if err := e.Folds.Write(&file, "sum"); err != nil {
			t.Fatal(err)
		}
		folds, sum, err := model.ReadFolds(&file)
		if err != nil || sum != "sum" {
			t.Fatalf("%s: %v, of the model %q", name, err, sum)
		}
		list := folds.Models()
		if want := 1 + e.Fold[largest(e.Fold)]; len(list) != want {
			t.Fatalf("%s: %d models of %d folds", name, len(list), want)
		}
		var all [][]float64
		for i, m := range list {
			p, err := m.PredictDataset(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p.Decision)
			for row, fold := range e.Fold {
				if fold == i && o.Validation.Repeats == 0 && math.Abs(p.Decision[row]-e.Prediction.Decision[row]) > 1e-3 {
					t.Fatalf("%s: fold %d predicts %v for row %d, not %v as in cross-validation", name, i, p.Decision[row], row, e.Prediction.Decision[row])
				}
			}
		}
		low, high, err := folds.Intervals(all, 0.8)
		if err != nil {
			t.Fatal(err)
		}
		held := 0
		for row, y := range d.Target.Y {
			if low[row] <= y && y <= high[row] {
				held++
			}
		}
		if held < 80*len(low)/100 { // training rows of most folds
			t.Errorf("%s: intervals hold %d of %d responses", name, held, len(low))
		}
	}
}

func largest(v []int) int {
	at := 0
	for i := range v {
		if v[i] > v[at] {
			at = i
		}
	}
	return at
}

// CV+ intervals have the requested coverage, also with more columns than rows.
func TestCVPlusCoverage(t *testing.T) {
	held, all := 0, 0
	for seed := range uint64(10) {
		c := synth.Config{Task: synth.Regression, N: 80, M: 100, K: 4, Seed: 100 + seed}
		d := made(t, c)
		job, err := fsa.Prepare(t.Context(), d, fsa.Options{K: 4, Validation: fsa.Validation{Folds: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := job.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		c.N, c.Seed = 500, 200+seed
		fresh := made(t, c)
		var decision [][]float64
		for _, m := range job.Evidence().Folds.Models() {
			p, err := m.PredictDataset(t.Context(), fresh)
			if err != nil {
				t.Fatal(err)
			}
			decision = append(decision, p.Decision)
		}
		low, high, err := job.Evidence().Folds.Intervals(decision, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for row, y := range fresh.Target.Y {
			if low[row] <= y && y <= high[row] {
				held++
			}
			all++
		}
	}
	if share := float64(held) / float64(all); share < 0.87 || share > 0.96 {
		t.Errorf("the intervals contain %.3f of new targets: want about 0.9", share)
	} else {
		t.Logf("the intervals contain %.3f of new targets", share)
	}
}
