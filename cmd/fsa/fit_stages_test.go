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

// The bar of a fit never goes back, whatever is fitted, every state names its stage, and only the end is 100%.
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
			if told++; now.Done < last.Done || now.Done >= 1 || now.Step < last.Step || now.Stage == "" || !strings.Contains(f.says(now), now.Title()) {
				t.Fatalf("seed %d, trial %d, %+v: %+v after %+v", seed, trial, o, now, last)
			}
			last = now
		}
		o.Run.Observe = func(p fsa.Progress) { check(f.Epoch(p.Done)) }
		o.Run.Count = func(stage string, done, total int) { check(f.Count(stage, done, total)) }
		o.Run.Step = func(s fsa.Step) { check(f.Compare(s.Part, s.Share)) }
		job, err := fsa.Prepare(t.Context(), d, o)
		if err != nil {
			t.Fatalf("seed %d, trial %d: %v", seed, trial, err)
		}
		f = follow(job.Plan(), false, 1)
		if _, err := job.Run(t.Context()); err != nil {
			t.Fatalf("seed %d, trial %d: %v", seed, trial, err)
		}
		if end := f.End(); end.Done != 1 || f.State() != end {
			t.Errorf("seed %d, trial %d: the end is %+v", seed, trial, end)
		}
		if told == 0 {
			t.Errorf("seed %d, trial %d: nothing was told", seed, trial)
		}
	}
}

func TestBetween(t *testing.T) {
	for _, c := range []struct {
		least, most float64
		want        string
	}{{0.2, 0.4, "about 0 s"}, {1, 4, "1–4 s"}, {13, 52, "15–50 s"}, {19.6, 20.4, "about 20 s"}, {40, 160, "1–3 min"}, {700, 2800, "10–45 min"}, {3000, 12000, "0.83–3.3 h"}, {50000, 200000, "15–55 h"}} {
		if got := between(c.least, c.most); got != c.want {
			t.Errorf("%v to %v s: %s, not %s", c.least, c.most, got, c.want)
		}
	}
}
