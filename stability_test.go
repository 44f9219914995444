package fsa_test

import (
	"bytes"
	"testing"

	"fsa"
	"fsa/data/synth"
	"fsa/model"
)

// TestStability uses generated tables whose true coefficients are all 1. The intervals have about the requested coverage, and
// the bound on false selections holds. There is no ridge, because a ridge shrinks coefficients.
func TestStability(t *testing.T) {
	tables := 6
	if testing.Short() {
		tables = 3
	}
	var covered, coefficients, falseOnes float64
	for seed := range uint64(tables) {
		c := synth.Config{Task: synth.Regression, N: 200, M: 60, K: 4, Seed: 1000 + seed}
		m, err := fsa.Fit(t.Context(), made(t, c), fsa.Options{K: 6, Objective: fsa.Objective{Ridge: fsa.None}, Validation: fsa.Validation{Stability: 12}})
		if err != nil {
			t.Fatal(err)
		}
		s := m.Stability()
		if s == nil || s.Halves != 24 || s.Cutoff == nil || s.Index == nil {
			t.Fatalf("seed %d: %+v", seed, s)
		}
		truth := map[string]bool{}
		for _, j := range synth.Truth(c) {
			truth[made(t, c).ColumnName(j)] = true
		}
		for _, v := range s.Variables {
			if truth[v.Name] {
				coefficients++
				if v.Low[0] <= 1 && 1 <= v.High[0] {
					covered++
				}
			}
		}
		for name, share := range s.Shares {
			if share >= *s.Cutoff && !truth[name] {
				falseOnes++
			}
		}
	}
	if share := covered / coefficients; share < 0.85 {
		t.Errorf("%v of %v intervals contain the coefficient", covered, coefficients)
	}
	if falseOnes/float64(tables) > 1 {
		t.Errorf("%v false variables on %d tables, where at most 1 is expected on each", falseOnes, tables)
	}
}

// TestStabilityOnThreads expects the same model on any number of threads, and that a model
// file keeps it.
func TestStabilityOnThreads(t *testing.T) {
	var files [2]bytes.Buffer
	for i, threads := range []int{1, 3} {
		d := made(t, synth.Config{N: 120, M: 30, K: 3, Seed: 3})
		m, err := fsa.Fit(t.Context(), d, fsa.Options{K: 3, Validation: fsa.Validation{Stability: 5}, Run: fsa.Run{Threads: threads}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.WriteTo(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("the model depends on the number of threads")
	}
	m, err := model.Read(&files[0])
	if err != nil || m.Stability() == nil || len(m.Stability().Variables) != 3 {
		t.Errorf("the file says %+v, error %v", m, err)
	}
}

// TestCount expects a call for every half sample, in order, and steps of cross-validation whose share of a part rises.
func TestCount(t *testing.T) {
	told, steps, last := map[string]int{}, 0, fsa.Step{}
	o := fsa.Options{K: 3, Validation: fsa.Validation{Stability: 3}, Run: fsa.Run{Threads: 2, Count: func(stage string, done, total int) {
		if told[stage]++; done != told[stage] || done > total {
			t.Errorf("%s: %d of %d is reported in call %d", stage, done, total, told[stage])
		}
	}, Step: func(s fsa.Step) {
		if steps++; s.Part == last.Part && s.Share < last.Share || s.Share > 1 {
			t.Errorf("step %d: a share of %v of %s after %v", steps, s.Share, s.Part, last.Share)
		}
		last = s
	}}}
	if _, err := fsa.Fit(t.Context(), made(t, synth.Config{N: 80, M: 20, K: 3, Seed: 3}), o); err != nil {
		t.Fatal(err)
	}
	if steps < 5 || told["half samples"] != 6 {
		t.Errorf("%d steps, told of %v", steps, told)
	}
}
