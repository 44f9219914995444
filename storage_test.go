package fsa_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	"fsa"
	"fsa/data"
	"fsa/data/synth"
	"fsa/eval"
	"fsa/internal/need"
	"fsa/model"
)

// tables is the number of tables on which narrow storage is tried.
var tables = flag.Uint64("tables", need.Sweep[uint64](1, 3), "tables of each kind to try narrow storage on")

// With enough rows to find the true variables, narrow number formats select the same variables as float32. With too few rows,
// all selections differ in some variables; this is only logged, if there is more than one table. The table in
// docs/evidence/performance.md:
//
//	go test -v -run TestNarrowStorageChoosesAlike . -tables 20
func TestNarrowStorageChoosesAlike(t *testing.T) {
	need.Long(t)
	count := *tables
	for _, c := range []struct {
		synth.Config
		loss string
		few  bool // rows
	}{
		{synth.Config{Task: synth.Classification, N: 1000, M: 1000, K: 10}, "logistic", false},
		{synth.Config{Task: synth.Regression, N: 1000, M: 1000, K: 30}, "squared", false},
		{synth.Config{Task: synth.Classification, N: 3000, M: 1000, K: 10, Noise: 0.1}, "lorenz", false},
		{synth.Config{Task: synth.Classification, N: 300, M: 1000, K: 10}, "logistic", true},
		{synth.Config{Task: synth.Regression, N: 200, M: 1000, K: 30}, "squared", true},
	} {
		if c.few && count == 1 {
			continue // nothing is asserted
		}
		storages := []data.Storage{data.StorageFloat32, data.StorageBFloat16, data.StorageInt8}
		common, found, complete := make([]float64, len(storages)), make([]float64, len(storages)), make([]int, len(storages))
		for seed := range count {
			c.Seed = 2000 + seed
			d := made(t, c.Config)
			var single []int
			for i, s := range storages {
				chosen := indices(fit(t, d, fsa.Options{K: c.K, Loss: c.loss, Design: fsa.Design{Storage: s}}))
				if i == 0 {
					single = chosen
				}
				_, same := eval.Detection(chosen, single)
				all, share := eval.Detection(chosen, synth.Truth(c.Config))
				common[i] += 100 * same / float64(count)
				found[i] += 100 * share / float64(count)
				if all {
					complete[i]++
				}
			}
		}
		for i, s := range storages {
			what := fmt.Sprintf("%s N=%d k=%d %s, storage %q, %d tables: %.1f%% of the variables of float32, %.1f%% of the true ones, all of them on %d",
				c.Task, c.N, c.K, c.loss, s, count, common[i], found[i], complete[i])
			t.Log(what)
			if !c.few && (common[i] < 99 || found[i] < found[0]-1) {
				t.Errorf("too few: %s", what)
			}
		}
	}
}

// The model does not depend on the number of threads or on whether the dataset is overwritten. Values may be missing, and
// the model records the storage.
func TestNarrowStorage(t *testing.T) {
	c := newCells(300, 40, 8)
	for i := 5; i < len(c.x); i += 17 {
		c.x[i] = math.NaN()
	}
	for _, s := range []data.Storage{data.StorageBFloat16, data.StorageInt8} {
		o := fsa.Options{K: 3, Design: fsa.Design{Storage: s}, Descent: fsa.Descent{Iterations: 60}, Run: fsa.Run{Threads: 1}}
		m := fit(t, c.table(t), o)
		want := modelBytes(t, m)
		if got := m.Training().Storage; got != s || !slices.Equal(indices(m), []int{0, 1, 2}) {
			t.Errorf("%s: stored as %q, chosen %v", s, got, indices(m))
		}
		again, err := model.Read(bytes.NewReader(want))
		if err != nil || again.Training().Storage != s {
			t.Errorf("%s: read again: %v", s, err)
		}
		o.Run.Threads, o.Run.Discard = 3, true
		if !bytes.Equal(modelBytes(t, fit(t, c.table(t), o)), want) {
			t.Errorf("%s: the model of three threads on a discarded dataset differs", s)
		}
	}
}

func TestNarrowStorageIsRefused(t *testing.T) {
	d := newCells(50, 5, 9).table(t)
	y := make([]float64, 40)
	y[0] = 1
	b := data.NewBuilder("listed", &data.Schema{Width: len(y), Sparse: true}, data.Roles{TargetVector: &data.Vector{Values: y}})
	cells := &data.Block{Rows: len(y), Start: []int{0}}
	for i := range y { // a diagonal
		cells.Index, cells.Value = append(cells.Index, uint32(i)), append(cells.Value, 1)
		cells.Start = append(cells.Start, i+1)
	}
	if err := b.Add(cells); err != nil {
		t.Fatal(err)
	}
	listed, err := b.Dataset(background)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		d *data.Dataset
		o fsa.Options
	}{
		"unknown": {d, fsa.Options{K: 1, Design: fsa.Design{Storage: "float8"}}},
		"bins":    {d, fsa.Options{K: 1, Bins: 3, Design: fsa.Design{Storage: data.StorageInt8}}},
		"sparse":  {listed, fsa.Options{K: 1, Design: fsa.Design{Storage: data.StorageBFloat16}}},
	} {
		if _, err := fsa.Fit(background, c.d, c.o); !errors.Is(err, fsa.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}
