package stages

import (
	"math/rand/v2"
	"testing"
)

// Whatever is told in whatever order, the share that is done never falls and stays within 0 and 1.
func TestNeverBack(t *testing.T) {
	const seed = 9
	rng := rand.New(rand.NewPCG(seed, 1))
	names := []string{"nested", "folds", "training", "half samples", "unknown"}
	for trial := range 200 {
		var stages []Stage
		for _, name := range names[:1+rng.IntN(4)] {
			stages = append(stages, Stage{Name: name, Cost: float64(rng.IntN(4)), Rounds: rng.IntN(4)})
		}
		c := New(stages...)
		last := State{}
		for range 300 {
			var now State
			switch name := names[rng.IntN(len(names))]; rng.IntN(8) {
			case 0:
				now = c.State()
			case 1:
				now = c.Hold(name)
			case 2:
				c.Release()
				continue
			default:
				now = c.Report(name, 1.2*rng.Float64()-0.1)
			}
			if now.Done < last.Done || now.Done > 0.99 || now.Step < last.Step || now.Step > now.Steps {
				t.Fatalf("seed %d, trial %d: %+v after %+v", seed, trial, now, last)
			}
			last = now
		}
	}
}

// Stages in their order, each to its end, add up to the whole.
func TestWhole(t *testing.T) {
	c := New(Stage{"folds", 3, 2}, Stage{"left out", 0, 0}, Stage{"training", 1, 0})
	for i, want := range []struct {
		stage string
		share float64
		done  float64
	}{{"folds", 0.5, 0.1875}, {"folds", 1, 0.375}, {"folds", 0.5, 0.5625}, {"folds", 1, 0.75}, {"training", 0.5, 0.875}, {"folds", 0.2, 0.875}, {"training", 1, 0.99}} {
		if now := c.Report(want.stage, want.share); now.Done != want.done || now.Steps != 2 {
			t.Errorf("step %d: %+v, want %v", i, now, want.done)
		}
	}
	if now := c.End(); now.Done != 1 || now.Stage != "training" || c.Report("folds", 0.1) != now {
		t.Errorf("the end is %+v", now)
	}
}
