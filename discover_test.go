package fsa_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fsa"
	"fsa/data"
	"fsa/data/open"
	"fsa/data/synth"
	"fsa/model"
)

// discovered fits a table at a false discovery rate of 0.1.
func discovered(t *testing.T, d *data.Dataset, o fsa.Options) *model.Model {
	t.Helper()
	o.Selection.FDR = 0.1
	m, err := fsa.Fit(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestDiscover finds relevant variables of numbers, classes, counts and survival times, and few others. Where the target
// does not depend on any variable, it selects none.
func TestDiscover(t *testing.T) {
	const tables = 3
	for _, c := range []struct {
		task, loss string
		noise      float64
		rows, k    int
		roles      data.Roles
	}{
		{task: synth.Regression, rows: 200, k: 6},
		{task: synth.Classification, noise: 0.1, rows: 400, k: 5},
		{task: synth.Ordinal, loss: "ordinal", rows: 400, k: 3},
		{task: synth.Counts, loss: "poisson", rows: 400, k: 3},
		{task: synth.Survival, loss: "cox", rows: 800, k: 3, roles: data.Roles{Event: "event"}},
	} {
		var right, wrong, noise int
		for seed := range uint64(tables) {
			of := synth.Config{Task: c.task, Rho: 0.3, Noise: c.noise, N: c.rows, M: 60, K: c.k, Seed: seed}
			r, err := synth.NewReader(of)
			if err != nil {
				t.Fatal(err)
			}
			d, err := data.Load(t.Context(), r, "synthetic", c.roles)
			if err != nil {
				t.Fatal(err)
			}
			m := discovered(t, d, fsa.Options{Loss: c.loss})
			truth := map[int]bool{}
			for _, j := range synth.Truth(of) {
				truth[j] = true
			}
			for _, v := range m.Selected() {
				if truth[v.Index] {
					right++
				} else {
					wrong++
				}
			}
			if s := m.Discoveries(); s == nil || s.Rate != 0.1 || s.HalfSamples != 20 || s.Candidates < 10 || len(s.Confirmed) < len(m.Selected()) || m.Validation() != nil {
				t.Errorf("%s: %+v", c.task, s)
			}
			if seed > 0 || d.Target.Event != nil {
				continue
			}
			rng := rand.New(rand.NewPCG(seed, 3))
			rng.Shuffle(c.rows, func(a, b int) { d.Target.Y[a], d.Target.Y[b] = d.Target.Y[b], d.Target.Y[a] })
			noise += len(discovered(t, d, fsa.Options{Loss: c.loss}).Selected())
		}
		if right < tables*c.k*8/10 || wrong > right/3 || noise > 0 {
			t.Errorf("%s: %d of %d found, %d false, %d of a permuted target", c.task, right, tables*c.k, wrong, noise)
		}
	}
}

// A group of variables is one discovery, curves find an effect without a slope, and texts take part.
func TestDiscoverGroups(t *testing.T) {
	const rows, cols = 400, 12
	rng := rand.New(rand.NewPCG(4, 4))
	var text strings.Builder
	for j := range cols {
		fmt.Fprintf(&text, "x%d,", j)
	}
	text.WriteString("town,y\n")
	for range rows {
		y, town := rng.NormFloat64()/2, rng.IntN(3)
		for j := range cols {
			v := rng.NormFloat64()
			fmt.Fprintf(&text, "%.4f,", v)
			switch j {
			case 0, 1:
				y += v
			case 2:
				y += v*v - 1
			}
		}
		fmt.Fprintf(&text, "%s,%.4f\n", []string{"a", "b", "c"}[town], y+float64(town))
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := open.Table(t.Context(), path, open.Options{}, open.Roles{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	o := fsa.Options{Bins: 5, Selection: fsa.Selection{Groups: [][]string{{"x0", "x1"}, {"x3", "x4", "x5"}}}}
	m := discovered(t, d, o)
	got := map[string]bool{}
	for _, v := range m.Selected() {
		got[v.Name] = true
	}
	if want := (map[string]bool{"x0": true, "x1": true, "x2": true, "town": true}); fmt.Sprint(got) != fmt.Sprint(want) || m.Training().K != 3 {
		t.Errorf("%v discovered, in %d groups", got, m.Training().K)
	}
}

// The model does not depend on threads, a file keeps the record, and another seed divides the rows in another way.
func TestDiscoverOnThreads(t *testing.T) {
	d := made(t, synth.Config{Task: synth.Regression, N: 150, M: 40, K: 4, Seed: 7})
	var files [3]bytes.Buffer
	for i, o := range []fsa.Options{{Run: fsa.Run{Threads: 1}}, {Run: fsa.Run{Threads: 3}}, {Seed: 1}} {
		if _, err := discovered(t, d, o).WriteTo(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("the model depends on the number of threads")
	}
	if bytes.Equal(files[0].Bytes(), files[2].Bytes()) {
		t.Error("the seed has no effect")
	}
	o := fsa.Options{Run: fsa.Run{Record: new(fsa.Record)}}
	for range 2 { // the second fit continues from the record of the first
		var again bytes.Buffer
		if _, err := discovered(t, d, o).WriteTo(&again); err != nil || !bytes.Equal(again.Bytes(), files[0].Bytes()) {
			t.Errorf("a record changes the model: %v", err)
		}
	}
	m, err := model.Read(&files[0])
	if err != nil || m.Discoveries() == nil || m.Discoveries().HalfSamples != 20 {
		t.Errorf("%+v, %v", m.Discoveries(), err)
	}
}

// With few rows nothing can be discovered, and the record says so.
func TestDiscoverFewRows(t *testing.T) {
	for _, rows := range []int{3} {
		m := discovered(t, made(t, synth.Config{Task: synth.Regression, N: rows, M: 5, K: 1}), fsa.Options{})
		s := m.Discoveries()
		if len(m.Selected()) > 0 || s.HalfSamples != 0 || s.Least != 1 || !strings.Contains(s.Note(0), "at least 1 candidate") {
			t.Errorf("%d rows: %d selected, %+v", rows, len(m.Selected()), s)
		}
	}
}

// Options that do not go together with a false discovery rate are refused, and the message says why.
func TestDiscoverRefuses(t *testing.T) {
	d := made(t, synth.Config{N: 60, M: 10, K: 2})
	for want, change := range map[string]func(o *fsa.Options){
		"above 0 and below 1":     func(o *fsa.Options) { o.Selection.FDR = 1 },
		"must be above 0":         func(o *fsa.Options) { o.Selection.FDR = -0.1 },
		"a number of variables":   func(o *fsa.Options) { o.K = 3 },
		"number of variables is":  func(o *fsa.Options) { o.Selection.Sizes = []int{3, 5} },
		"a rule for the size":     func(o *fsa.Options) { o.Selection.Choose = "min" },
		"forced variables":        func(o *fsa.Options) { o.Selection.Force = []string{"x1"} },
		"does not polish":         func(o *fsa.Options) { o.Selection.Polish = true },
		"nested cross-validation": func(o *fsa.Options) { o.Validation.Folds = 5 },
		"half samples of its own": func(o *fsa.Options) { o.Validation.Stability = 5 },
		"priors on curves":        func(o *fsa.Options) { o.Bins, o.Objective.CurvePriors = 5, map[string]float64{"smooth": 1} },
		"support constraints": func(o *fsa.Options) {
			o.Objective.Constraints = []model.Constraint{{Column: "x1", Kind: "nonnegative"}}
		},
		"cannot end early":         func(o *fsa.Options) { o.Run.Deadline = time.Now().Add(time.Hour) },
		"does not support ranking": func(o *fsa.Options) { o.Loss = "rank" },
	} {
		o := fsa.Options{Selection: fsa.Selection{FDR: 0.1}}
		change(&o)
		if _, err := fsa.Fit(t.Context(), d, o); !errors.Is(err, fsa.ErrOptions) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Nested cross-validation repeats the discoveries in each fold.
func TestDiscoverNested(t *testing.T) {
	d := made(t, synth.Config{Task: synth.Regression, N: 240, M: 20, K: 3, Rho: 0.1})
	o := fsa.Options{Selection: fsa.Selection{FDR: 0.2}}
	job, err := fsa.Prepare(t.Context(), d, o)
	if err != nil {
		t.Fatal(err)
	}
	folds, err := job.Folds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, err := fsa.CrossValidate(t.Context(), d, o, folds)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range c.Models {
		if m.Discoveries() == nil {
			t.Errorf("fold %d has no discoveries", i)
		}
	}
	if !(c.Metrics["r2"] > 0.5) {
		t.Errorf("R² %v", c.Metrics["r2"])
	}
}
