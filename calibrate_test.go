package fsa_test

import (
	"math"
	"slices"
	"testing"

	"fsa"
	"fsa/data/synth"
	"fsa/eval"
	"fsa/internal/need"
	"fsa/model"
)

// TestCalibrated fits losses without probabilities to noisy labels, and expects calibrated probabilities on other rows.
func TestCalibrated(t *testing.T) {
	need.Long(t)
	train := synth.Config{N: 400, M: 40, K: 4, Seed: 1001, Noise: 0.1}
	other := made(t, synth.Config{N: 2000, M: 40, K: 4, Seed: 1002, Noise: 0.1})
	for _, loss := range []string{"svm", "lorenz", "logistic"} {
		m, err := fsa.Fit(t.Context(), made(t, train), fsa.Options{K: 4, Loss: loss, Validation: fsa.Validation{Calibrate: true}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.PredictDataset(t.Context(), other)
		if err != nil {
			t.Fatal(err)
		}
		y := slices.Clone(other.Target.Y)
		for i := range y {
			y[i] = 2*y[i] - 1
		}
		slope, intercept := eval.Recalibration(p.Decision, y, nil)
		if !m.Calibrated() || p.Probability() == nil || math.Abs(slope-1) > 0.25 || math.Abs(intercept) > 0.3 {
			t.Errorf("%s: calibrated %v, with the slope %v and the intercept %v", loss, m.Calibrated(), slope, intercept)
		}
		if v := m.Validation().Metrics["logloss"]; !(v < 0.6) {
			t.Errorf("%s: log loss %v on held-out rows", loss, v)
		}
	}
}

// TestThreshold chooses the threshold by the costs of mistakes.
func TestThreshold(t *testing.T) {
	c := synth.Config{N: 300, M: 30, K: 3, Seed: 1003, Noise: 0.3}
	positives := func(threshold string) (n int) {
		m, err := fsa.Fit(t.Context(), made(t, c), fsa.Options{K: 3, Validation: fsa.Validation{Threshold: threshold}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.PredictDataset(t.Context(), made(t, c))
		if err != nil {
			t.Fatal(err)
		}
		for _, class := range p.Class() {
			if class == m.Classes()[1] {
				n++
			}
		}
		return n
	}
	dear, cheap := positives("cost=9:1"), positives("cost=1:9")
	if middle := positives("balanced"); !(dear < middle && middle < cheap) {
		t.Errorf("%d positives if false positives are expensive, %d balanced, %d if they are cheap", dear, middle, cheap)
	}
	for _, bad := range []string{"what", "cost=1", "cost=-1:2", "cost=0:0"} {
		if _, err := fsa.Fit(t.Context(), made(t, c), fsa.Options{K: 3, Validation: fsa.Validation{Threshold: bad}}); err == nil {
			t.Errorf("threshold %q was accepted", bad)
		}
	}
}

// TestCoverage measures how often intervals and sets contain the target of other rows.
func TestCoverage(t *testing.T) {
	need.Long(t)
	const coverage, tables = 0.9, 4
	var numbers, classes float64
	for seed := range uint64(tables) {
		train, other := synth.Config{Task: synth.Regression, N: 150, M: 40, K: 4, Seed: 1010 + seed}, synth.Config{Task: synth.Regression, N: 1000, M: 40, K: 4, Seed: 2010 + seed}
		m, err := fsa.Fit(t.Context(), made(t, train), fsa.Options{K: 4})
		if err != nil {
			t.Fatal(err)
		}
		d := made(t, other)
		p, err := m.PredictDataset(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		low, high, err := m.Intervals(p, coverage)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range d.Target.Y {
			if low[i] <= y && y <= high[i] {
				numbers++
			}
		}
		train.Task, other.Task, train.Noise, other.Noise = synth.Classification, synth.Classification, 0.2, 0.2
		if m, err = fsa.Fit(t.Context(), made(t, train), fsa.Options{K: 4}); err != nil {
			t.Fatal(err)
		}
		d = made(t, other)
		if p, err = m.PredictDataset(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		sets, err := m.Sets(p, coverage)
		if err != nil {
			t.Fatal(err)
		}
		for i, y := range d.Target.Y {
			if slices.Contains(sets[i], model.ClassName(d.Target, y)) {
				classes++
			}
		}
	}
	for what, held := range map[string]float64{"intervals": numbers, "sets": classes} {
		if share := held / tables / 1000; share < coverage-0.04 {
			t.Errorf("%s: coverage %.3f on other rows, want %v", what, share, coverage)
		} else {
			t.Logf("%s: coverage %.3f on other rows", what, share)
		}
	}
}
