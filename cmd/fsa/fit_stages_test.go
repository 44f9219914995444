package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"fsa"
	"fsa/data/open"
	"fsa/internal/stages"
)

// The bar of a fit never goes back, whatever is fitted, and every state names its stage.
func TestStagesOfFits(t *testing.T) {
	const seed = 46
	rng := rand.New(rand.NewPCG(seed, 0))
	t.Chdir(t.TempDir())
	for i, task := range []string{"regression", "classification"} {
		must(t, "generate", "ar1", "--task", task, "--n", "60", "--m", "12", "--k", "3", "--out", fmt.Sprintf("%d.csv", i))
	}
	for trial := range 50 {
		d, err := open.Table(t.Context(), fmt.Sprintf("%d.csv", rng.IntN(2)), open.Options{}, open.Roles{Target: "y"})
		if err != nil {
			t.Fatal(err)
		}
		o := fsa.Options{K: rng.IntN(4), Quick: rng.IntN(3) == 0, Bins: []int{fsa.Auto, fsa.None, 3}[rng.IntN(3)]}
		o.Descent.Iterations = 5 + rng.IntN(40)
		o.Validation.Folds, o.Validation.Stability = 0, rng.IntN(3)
		if !o.Quick {
			o.Validation.Always, o.Validation.Folds = rng.IntN(2) == 0, 2+rng.IntN(3)
		}
		if o.K == 0 {
			o.Selection.Sizes = []int{0, 1, 2, 3}
		}
		o.Selection.Polish = o.K > 0 && rng.IntN(4) == 0
		var f *following
		last, told := stages.State{}, 0
		check := func(now stages.State) {
			t.Helper()
			if told++; now.Done < last.Done || now.Done > 1 || now.Step < last.Step || now.Stage == "" || !strings.Contains(f.says(now), now.Title()) {
				t.Fatalf("seed %d, trial %d, %+v: %+v after %+v", seed, trial, o, now, last)
			}
			last = now
		}
		o.Run.Observe = func(p fsa.Progress) { check(f.Epoch(p.Done)) }
		o.Run.Count = func(stage string, done, total int) { check(f.Count(stage, done, total)) }
		o.Run.Curve = func(fsa.CurvePoint) { check(f.Compared()) }
		job, err := fsa.Prepare(t.Context(), d, o)
		if err != nil {
			t.Fatalf("seed %d, trial %d: %v", seed, trial, err)
		}
		f = follow(job.Plan(), false, 1)
		if _, err := job.Run(t.Context()); err != nil {
			t.Fatalf("seed %d, trial %d: %v", seed, trial, err)
		}
		if told == 0 {
			t.Errorf("seed %d, trial %d: nothing was told", seed, trial)
		}
	}
}
