package baseline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
	"fsa/data/synth"
	"fsa/eval"
	"fsa/internal/need"
	"fsa/model"
)

// pathMethods are the methods that select along a path.
func pathMethods(o Options) map[string]Fitter {
	return map[string]Fitter{"l1": L1{o}, "elastic-net": ElasticNet{Options: o}, "mcp": MCP{Options: o}, "scad": SCAD{Options: o}}
}

func TestPathSelectsExactlyK(t *testing.T) {
	need.Long(t)
	for _, task := range []string{synth.Classification, synth.Regression} {
		d := synthetic(t, synth.Config{N: 120, M: 60, K: 5, Task: task, Seed: 2})
		for _, k := range []int{1, 2, 7, 30, 60} {
			for name, f := range pathMethods(Options{K: k}) {
				if got := chosen(mustFit(t, f, d)); len(got) != k {
					t.Errorf("%s, %s: %d variables, want %d", name, task, len(got), k)
				}
			}
		}
	}
}

func TestPathFindsTheTruth(t *testing.T) {
	for _, c := range []synth.Config{
		{N: 1000, M: 100, K: 5, Rho: 0.5, Task: synth.Classification, Noise: 0.05},
		{N: 1000, M: 100, K: 5, Rho: 0.5, Task: synth.Regression},
	} {
		d := synthetic(t, c)
		for name, f := range pathMethods(Options{K: c.K}) {
			if all, share := eval.Detection(chosen(mustFit(t, f, d)), synth.Truth(c)); !all {
				t.Errorf("%s, %s: found %v of the true variables", name, c.Task, share)
			}
		}
	}
}

// The bisection ends at a penalty that gives k variables, with warm starts as
// without.
func TestReach(t *testing.T) {
	ctx := context.Background()
	made := rawTask(t, mixed(1, "squared").dense(t), "squared")
	for k := 1; k < 25; k++ {
		d, err := newDescent(ctx, made)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.reach(ctx, k, func(lambda float64) penalty { return elastic{l1: lambda} }); err != nil {
			t.Fatal(err)
		}
		if d.size() != k {
			t.Errorf("%d variables, want %d", d.size(), k)
		}
		cold, err := newDescent(ctx, made)
		if err != nil {
			t.Fatal(err)
		}
		in := slices.IndexFunc(d.beta, func(b float64) bool { return b != 0 })
		lambda := math.Abs(d.slope[in]) // the lasso pulls all that are in alike
		if err := cold.minimise(ctx, elastic{l1: lambda}); err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprint("coefficients of ", k), cold.beta, d.beta, 1e-3)
	}
}

// Equal columns enter together: one of them has to do.
func TestPathWithEqualColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	s := &sample{Columns: 6}
	for range 80 {
		a, b, c := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
		s.X = append(s.X, a, a, b, b, c, c)
		s.Y = append(s.Y, math.Copysign(1, a+b+c+rng.NormFloat64()))
	}
	for k := 1; k <= 6; k++ {
		for name, f := range pathMethods(Options{K: k}) {
			m := mustFit(t, f, s.dense(t))
			if got := chosen(m); len(got) != k {
				t.Errorf("%s: %v, want %d variables", name, got, k)
			}
			for _, v := range m.Selected() {
				if !(math.Abs(v.Coefficients[0]) < 100) {
					t.Errorf("%s: coefficient %v", name, v.Coefficients[0])
				}
			}
		}
	}
}

// Constant columns are never selected, and more variables than vary cannot be.
func TestPathWithConstants(t *testing.T) {
	s := mixed(3, "squared")
	for i := range s.Y {
		for j := 10; j < s.Columns; j++ {
			s.X[i*s.Columns+j] = float64(j)
		}
	}
	for name, f := range pathMethods(Options{K: 12}) {
		got := chosen(mustFit(t, f, s.dense(t)))
		if len(got) != 10 || got[9] != 9 {
			t.Errorf("%s selects %v", name, got)
		}
	}
}

// A row of weight 3 is three rows, one of weight 0 none.
func TestPathWeights(t *testing.T) {
	for _, loss := range []string{"squared", "logistic"} {
		weighted := mixed(4, loss)
		repeated := &sample{Columns: weighted.Columns}
		for i, w := range weighted.Weight {
			for range int(w) {
				repeated.Y = append(repeated.Y, weighted.Y[i])
				repeated.X = append(repeated.X, weighted.X[i*weighted.Columns:(i+1)*weighted.Columns]...)
			}
		}
		for name, f := range pathMethods(Options{K: 6, LossName: loss}) {
			a, b := mustFit(t, f, weighted.dense(t)), mustFit(t, f, repeated.dense(t))
			near(t, name+" "+loss, slopes(a, weighted.Columns), slopes(b, weighted.Columns), 1e-6)
			near(t, name+" "+loss+" intercept", a.Intercept(), b.Intercept(), 1e-6)
		}
	}
}

func TestPathThreads(t *testing.T) {
	for _, task := range []string{synth.Classification, synth.Regression} {
		d := synthetic(t, synth.Config{N: 300, M: 200, K: 10, Task: task, Seed: 7})
		one := pathMethods(Options{K: 10, Threads: 1})
		for name, f := range pathMethods(Options{K: 10, Threads: 5}) {
			if !bytes.Equal(fileOf(t, mustFit(t, f, d)), fileOf(t, mustFit(t, one[name], d))) {
				t.Errorf("%s, %s: the model depends on the number of threads", name, task)
			}
		}
	}
}

func TestPathSparse(t *testing.T) {
	for _, loss := range []string{"squared", "logistic"} {
		s := mixed(9, loss).thinned(2)
		o := Options{K: 7, LossName: loss, Scale: data.ScaleNone}
		for name, f := range pathMethods(o) {
			a, b := mustFit(t, f, s.dense(t)), mustFit(t, f, s.sparse(t))
			near(t, name+" "+loss, slopes(a, s.Columns), slopes(b, s.Columns), 1e-5)
		}
	}
}

func TestPathRefusals(t *testing.T) {
	d := synthetic(t, synth.Config{N: 30, M: 5, K: 1})
	for what, f := range map[string]Fitter{
		"no variables":       L1{},
		"too many variables": L1{Options{K: 6}},
		"far too many":       L1{Options{K: maxPathK + 1}},
		"loss":               MCP{Options: Options{K: 1, LossName: "svm"}},
		"gamma of mcp":       MCP{Options: Options{K: 1}, Gamma: 1},
		"gamma of scad":      SCAD{Options: Options{K: 1}, Gamma: 2},
		"mix":                ElasticNet{Options: Options{K: 1}, Mix: 1.5},
	} {
		if _, err := f.Fit(context.Background(), d); !errors.Is(err, model.ErrOptions) {
			t.Errorf("%s: %v", what, err)
		}
	}
	stopped, cancel := context.WithCancel(context.Background())
	cancel()
	for name, f := range pathMethods(Options{K: 1}) {
		if _, err := f.Fit(stopped, d); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v after an interrupt", name, err)
		}
	}
}

// Variables that no penalty lets in follow by their slope.
func TestStrongest(t *testing.T) {
	made := rawTask(t, mixed(1, "squared").dense(t), "squared")
	d, err := newDescent(context.Background(), made)
	if err != nil {
		t.Fatal(err)
	}
	clear(d.slope)
	d.beta[4], d.beta[9], d.slope[2], d.slope[7] = -2, 1, 5, -6
	for k, want := range [][]int{{}, {4}, {4, 9}, {4, 7, 9}, {2, 4, 7, 9}, {0, 2, 4, 7, 9}} {
		if got := d.strongest(k); !slices.Equal(got, want) {
			t.Errorf("strongest %d: %v, want %v", k, got, want)
		}
	}
}
