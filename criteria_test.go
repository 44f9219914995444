package fsa_test

import (
	"bytes"
	"testing"

	"fsa"
	"fsa/data/synth"
	"fsa/model"
)

// A quick fit finds the number of true variables without folds.
func TestQuickSize(t *testing.T) {
	for name, test := range map[string]struct {
		config synth.Config
		o      fsa.Options
		want   int
	}{
		"regression": {synth.Config{Task: synth.Regression, N: 400, M: 300, K: 7, Seed: 5}, fsa.Options{}, 7},
		"classes":    {synth.Config{N: 1000, M: 300, K: 7, Seed: 5}, fsa.Options{}, 7},
		"gic":        {synth.Config{Task: synth.Regression, N: 400, M: 300, K: 7, Seed: 5}, fsa.Options{Selection: fsa.Selection{Choose: "gic"}}, 7},
		"of a list":  {synth.Config{Task: synth.Regression, N: 400, M: 300, K: 7, Seed: 5}, fsa.Options{Selection: fsa.Selection{Sizes: []int{2, 9, 20}}}, 9},
		"minibatch":  {synth.Config{Task: synth.Regression, N: 3000, M: 300, K: 7, Seed: 5}, fsa.Options{}, 7},
	} {
		d := made(t, test.config)
		test.o.Quick = true
		m := fit(t, d, test.o)
		c := m.Training().Criterion
		if c == nil || m.Validation() != nil {
			t.Fatalf("%s: criterion %v, validation %v: want only the criterion", name, c, m.Validation())
		}
		if c.Chosen != test.want || m.Training().K != test.want || len(m.Selected()) != test.want {
			t.Errorf("%s: chosen %d, k = %d, %d selected: want %d", name, c.Chosen, m.Training().K, len(m.Selected()), test.want)
		}
		for _, threads := range []int{1, 3} {
			if testing.Short() && threads == 1 {
				continue
			}
			test.o.Run.Threads = threads
			if got := fit(t, d, test.o); !bytes.Equal(modelBytes(t, got), modelBytes(t, m)) {
				t.Errorf("%s: another model with %d threads", name, threads)
			}
		}
	}
}

// Without a signal, the null model has the lowest criterion.
func TestQuickSizeOfNoise(t *testing.T) {
	d := made(t, synth.Config{N: 200, M: 500, K: 10, Noise: 1, Seed: 3})
	if m := fit(t, d, fsa.Options{Quick: true}); len(m.Selected()) != 0 {
		t.Errorf("%d noise variables were selected", len(m.Selected()))
	}
}

// A column that equals the target is selected alone, and the model can be saved and read.
func TestQuickSizeOfTheResponse(t *testing.T) {
	c := newCells(64, 5, 3)
	for i := range c.y {
		c.y[i] = float64(i % 8)
		c.x[i*5+2] = c.y[i]
	}
	m := fit(t, c.table(t), fsa.Options{Quick: true, Loss: "squared"})
	if len(m.Selected()) != 1 {
		t.Errorf("%d variables were selected", len(m.Selected()))
	}
	if _, err := model.Read(bytes.NewReader(modelBytes(t, m))); err != nil {
		t.Error(err)
	}
}

// With Quick, a loss without a likelihood, or an option that needs folds, still leads to cross-validation.
func TestQuickSizeByFolds(t *testing.T) {
	d := made(t, synth.Config{N: 200, M: 30, K: 3, Seed: 5})
	for name, o := range map[string]fsa.Options{
		"lorenz": {Loss: "lorenz"}, "folds": {Validation: fsa.Validation{Folds: 3}}, "rule": {Selection: fsa.Selection{Choose: "min"}}, "measure": {Validation: fsa.Validation{Measure: "auc"}},
	} {
		o.Quick, o.Descent.Iterations = true, 50
		if m := fit(t, d, o); m.Validation() == nil || m.Training().Criterion != nil {
			t.Errorf("%s: not cross-validated", name)
		}
	}
}
