package baseline

import (
	"math"
	"slices"
	"testing"

	"fsa/data/synth"
)

// The schedule falls from nearly all variables to k, where it is for the second half of the steps, and
// never rises.
func TestQuantile(t *testing.T) {
	const steps, all, k = 40, 1000, 7
	last := all
	for step := 1; step <= steps; step++ {
		q := quantile(step, steps, all, k)
		if q > last || q < k || step >= steps/2 && q != k || step < steps/4 && q == k {
			t.Errorf("%d variables after step %d, %d before it", q, step, last)
		}
		last = q
	}
	if got := quantile(1, steps, all, k); got != k+(all-k)*38/240 {
		t.Errorf("%d variables after the first step", got)
	}
	if got := quantile(1, steps, 5, k); got != 5 {
		t.Errorf("%d of 5 variables", got)
	}
}

// A step stays below the quadratic bound of its curvature, keeps the largest coefficients, and never
// brings back what was dropped. The steps grow while variables are dropped.
func TestSlowKillSteps(t *testing.T) {
	for _, c := range []synth.Config{
		{Task: synth.Regression, N: 150, M: 60, K: 6, Seed: 9},
		{Task: synth.Classification, N: 150, M: 60, K: 6, Seed: 9},
	} {
		task, err := newTask(t.Context(), "slow-kill", synthetic(t, c), Options{K: c.K}, "squared", "logistic")
		if err != nil {
			t.Fatal(err)
		}
		w := newWalk(task, task.design.Usable)
		length, err := w.safe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		widest, curvature, start := 0.0, 1/length, w.value
		for step := range 40 {
			before, q := w.variables, 60-step*54/39
			if curvature, err = w.kill(t.Context(), q, 1, curvature); err != nil {
				t.Fatal(err)
			}
			if widest = max(widest, curvature); len(w.variables) != q || slices.ContainsFunc(w.variables, func(v int) bool { return !slices.Contains(before, v) }) {
				t.Errorf("%s: step %d keeps %v of %v", c.Task, step, w.variables, before)
			}
		}
		if w.value > 0.6*start || widest > 2.1/length || curvature > 0.8/length {
			t.Errorf("%s: the loss fell from %v to %v, the curvature to %v from %v at most, %v at first", c.Task, start, w.value, curvature, widest, 1/length)
		}
	}
}

// Coefficients that are shrunk are those of the same step without a ridge, divided.
func TestSlowKillShrinks(t *testing.T) {
	c := synth.Config{Task: synth.Regression, N: 150, M: 60, K: 6, Seed: 9}
	step := func(shrink float64) *walk {
		task, err := newTask(t.Context(), "slow-kill", synthetic(t, c), Options{K: c.K}, "squared")
		if err != nil {
			t.Fatal(err)
		}
		w := newWalk(task, task.design.Usable)
		if _, err := w.kill(t.Context(), 9, shrink, 1000); err != nil {
			t.Fatal(err)
		}
		return w
	}
	plain, shrunk := step(1), step(1.5)
	for at, b := range plain.beta {
		if math.Abs(b-1.5*shrunk.beta[at]) > 1e-12 {
			t.Errorf("%v, shrunk %v", b, shrunk.beta[at])
		}
	}
}

// It finds all variables of easy tables.
func TestSlowKillFindsAll(t *testing.T) {
	for _, c := range []synth.Config{
		{Task: synth.Regression, N: 300, M: 400, K: 5, Seed: 5},
		{Task: synth.Classification, N: 1000, M: 300, K: 5, Seed: 5},
	} {
		if got, want := chosen(mustFit(t, SlowKill{Options{K: c.K}}, synthetic(t, c))), synth.Truth(c); !slices.Equal(got, want) {
			t.Errorf("%s, seed %d: variables %v, want %v", c.Task, c.Seed, got, want)
		}
	}
}
