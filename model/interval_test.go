package model

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// Intervals reach as far as the errors on other rows do, and sets hold the classes that are probable enough.
func TestIntervalsAndSets(t *testing.T) {
	number := &Model{spec: *opened(t, "v2/regression")}
	number.spec.Validation = validated()
	number.spec.Validation.Scores = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	p := number.Prediction([]float64{10, -10})
	// Of 9 rows, ⌈0.8·10⌉ = 8 have an error of at most 8.
	low, high, err := number.Intervals(p, 0.8)
	if err != nil || fmt.Sprint(low, high) != "[2 -18] [18 -2]" {
		t.Errorf("between %v and %v, %v", low, high, err)
	}
	two := &Model{spec: *opened(t, "v1/logistic")}
	two.spec.Validation = validated()
	two.spec.Validation.Scores = []float64{0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1}
	many := &Model{spec: *opened(t, "v1/multinomial")}
	many.spec.Validation = two.spec.Validation
	// A class is in a set if its probability is at least 1 − 0.6, the 5th of 9 scores.
	sets, err := two.Sets(two.Prediction([]float64{0, 5, -5}), 0.5)
	if want := [][]string{two.spec.Classes, two.spec.Classes[1:], two.spec.Classes[:1]}; err != nil || fmt.Sprint(sets) != fmt.Sprint(want) {
		t.Errorf("sets %v, want %v (%v)", sets, want, err)
	}
	sets, err = many.Sets(many.Prediction([]float64{9, 9, 0, 0, 9, 0}), 0.5)
	if want := [][]string{many.spec.Classes[:2], many.spec.Classes[1:2]}; err != nil || fmt.Sprint(sets) != fmt.Sprint(want) {
		t.Errorf("sets %v, want %v (%v)", sets, want, err)
	}

	intervals := func(m *Model, coverage float64) error {
		_, _, err := m.Intervals(m.Prediction(make([]float64, m.Outputs())), coverage)
		return err
	}
	unvalidated, older, margins := *number, *number, *two
	unvalidated.spec.Validation = nil
	older.spec.Validation = validated()
	margins.spec.Validation = validated()
	_, noScores := margins.Sets(two.Prediction([]float64{0}), 0.5)
	_, ofNumber := number.Sets(p, 0.5)
	for says, err := range map[string]error{
		"above 0 and below 1":                  intervals(number, 1),
		"use at most 0.9":                      intervals(number, 0.95),
		"was not cross-validated":              intervals(&unvalidated, 0.5),
		"fit it again":                         intervals(&older, 0.5),
		"intervals are for regressions":        intervals(two, 0.5),
		"neither numbers nor probabilities":    noScores,
		"sets of classes are for classificati": ofNumber,
	} {
		if !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}

// The models of folds can be written and read again, with the same intervals.
func TestFolds(t *testing.T) {
	m := &Model{spec: *opened(t, "v2/regression")}
	var f Folds
	f.Add(m, []float64{3, 1, 2})
	f.Add(m, []float64{1, 2, 3})
	var file bytes.Buffer
	if err := f.Write(&file, "sum"); err != nil {
		t.Fatal(err)
	}
	again, sum, err := ReadFolds(bytes.NewReader(file.Bytes()))
	if err != nil || sum != "sum" || len(again.Models()) != 2 || len(m.spec.Training.Metrics) == 0 {
		t.Fatalf("%v, of the model %q", err, sum)
	}
	// Both decide 10, so that of 6 rows ⌈0.5·7⌉ = 4 have an error of at most 2.
	low, high, err := again.Intervals([][]float64{{10}, {10}}, 0.5)
	if err != nil || low[0] != 8 || high[0] != 12 {
		t.Errorf("between %v and %v, %v", low, high, err)
	}
	for _, coverage := range []float64{0, 1, 0.99} {
		if _, _, err := again.Intervals([][]float64{{10}, {10}}, coverage); !errors.Is(err, ErrOptions) {
			t.Errorf("a coverage of %v: %v", coverage, err)
		}
	}
	changed := func(change func(f *Folds)) []byte {
		var f Folds
		f.Add(&Model{spec: *opened(t, "v2/regression")}, []float64{1, 2})
		f.Add(&Model{spec: *opened(t, "v2/regression")}, []float64{1, 2})
		change(&f)
		var file bytes.Buffer
		if err := f.Write(&file, ""); err != nil {
			t.Fatal(err)
		}
		return file.Bytes()
	}
	for name, file := range map[string][]byte{
		"empty":             nil,
		"cut off":           file.Bytes()[:file.Len()/2],
		"one byte":          bytes.Replace(file.Bytes(), []byte(`"rows":3`), []byte(`"rows":4`), 1),
		"one fold":          changed(func(f *Folds) { f.folds = f.folds[:1] }),
		"no model":          changed(func(f *Folds) { f.folds[1].Model = nil }),
		"a classification":  changed(func(f *Folds) { f.folds[1].Model = opened(t, "v1/logistic") }),
		"residuals unequal": changed(func(f *Folds) { f.folds[1].Rows = 1 }),
		"out of order":      changed(func(f *Folds) { f.folds[1].Residuals = []float64{2, 1} }),
		"negative":          changed(func(f *Folds) { f.folds[1].Residuals = []float64{-2, 1} }),
		"a broken model":    changed(func(f *Folds) { f.folds[1].Model.Loss = "none" }),
	} {
		if _, _, err := ReadFolds(bytes.NewReader(file)); !errors.Is(err, ErrModelFile) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
