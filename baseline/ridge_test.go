package baseline

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"fsa/data"
	"fsa/data/synth"
	"fsa/eval"
)

func TestRidgeGolden(t *testing.T) {
	ctx := context.Background()
	var want penalisedGolden
	readGolden(t, "penalised", &want)
	for name, s := range map[string]*penalisedSample{"tall": &want.Squared, "wide": &want.Wide} {
		for _, c := range s.Cases {
			if c.Penalty != "ridge" || c.A == 0 {
				continue
			}
			t.Run(fmt.Sprint(name, c.A, c.Weighted), func(t *testing.T) {
				ridge, err := s.task(t, "squared", c).ridge(ctx)
				if err != nil {
					t.Fatal(err)
				}
				intercept, beta, err := ridge.solve(ctx, c.A)
				if err != nil {
					t.Fatal(err)
				}
				near(t, "coefficients", beta, c.Beta, 1e-9)
				near(t, "intercept", []float64{intercept}, []float64{c.Intercept}, 1e-9)
			})
		}
	}
}

// Many noisy variables want a strong penalty, few good ones a weak one.
func TestRidgeChooses(t *testing.T) {
	noise := synthetic(t, synth.Config{N: 60, M: 100, K: 1, Task: synth.Regression, Sigma: 10, Seed: 1})
	clear := synthetic(t, synth.Config{N: 200, M: 5, K: 5, Task: synth.Regression, Sigma: 0.01, Seed: 1})
	a, b := mustFit(t, Ridge{}, noise), mustFit(t, Ridge{}, clear)
	if r := a.Training().Metrics["r2"]; r > 0.8 {
		t.Errorf("noise is fitted with R² = %v", r)
	}
	if r := b.Training().Metrics["r2"]; r < 0.9999 {
		t.Errorf("what is there is fitted with R² = %v", r)
	}
	if n := len(a.Selected()); n != 100 {
		t.Errorf("%d variables, want all 100", n)
	}
}

// Sums over rows that were added in parts are those of all of them.
func TestScatterMerges(t *testing.T) {
	ctx := context.Background()
	s := mixed(8, "squared")
	made := rawTask(t, s.dense(t), "squared")
	train, held := made.holdOut()
	parts, whole := newScatter(made), newScatter(made)
	for _, weight := range [][]float64{train, held} {
		if err := parts.add(ctx, weight); err != nil {
			t.Fatal(err)
		}
	}
	if err := whole.add(ctx, made.weights()); err != nil {
		t.Fatal(err)
	}
	near(t, "means", parts.mean, whole.mean, 1e-9)
	for a, p := 0, len(whole.mean); a < p; a++ {
		near(t, "squares", parts.square[a*p:a*p+a+1], whole.square[a*p:a*p+a+1], 1e-9)
	}
	near(t, "products with the response", parts.cross, whole.cross, 1e-9)
	near(t, "response and weight", []float64{parts.response, parts.weight}, []float64{whole.response, whole.weight}, 1e-12)
}

// Rows held out are predicted by what was learned without them, as if that had
// been all there is, whether the unknowns are rows or variables.
func TestRidgeTriesOut(t *testing.T) {
	ctx := context.Background()
	for _, shape := range [][2]int{{90, 20}, {40, 90}} {
		d := synthetic(t, synth.Config{N: shape[0], M: shape[1], K: 3, Task: synth.Regression, Seed: 4})
		made, err := newTask(ctx, "ridge", d, Options{K: 1}, "squared")
		if err != nil {
			t.Fatal(err)
		}
		train, held := made.holdOut()
		both, err := made.ridge(ctx)
		if err != nil {
			t.Fatal(err)
		}
		wrong, err := both.tryOut(ctx, []float64{0.1}, train, held)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := made.weighing(train).ridge(ctx)
		if err != nil {
			t.Fatal(err)
		}
		intercept, beta, err := alone.solve(ctx, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		want := eval.RMSE(made.margins(intercept, made.design.Usable, beta), made.Y, held)
		near(t, fmt.Sprint(shape, " error"), wrong, []float64{want}, 1e-9)
		intercept, beta, err = both.solve(ctx, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := made.ridge(ctx)
		if err != nil {
			t.Fatal(err)
		}
		i2, b2, err := fresh.solve(ctx, 0.1)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprint(shape, " coefficients of all rows"), append(beta, intercept), append(b2, i2), 1e-9)
	}
}

// BenchmarkRidge is compared with scikit-learn's ridge by testdata/ridge.py.
func BenchmarkRidge(b *testing.B) {
	for _, n := range []int{300, 1000, 3000, 10000} {
		d := synthetic(b, synth.Config{N: n, M: 1000, K: 30, Task: synth.Regression, Seed: 1})
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				mustFit(b, Ridge{Options{Threads: 1}}, d)
			}
		})
	}
}

// Neither threads nor storage change a model of all variables.
func TestL2Methods(t *testing.T) {
	for _, task := range []string{synth.Classification, synth.Regression} {
		for _, shape := range [][2]int{{90, 40}, {40, 90}} {
			d := synthetic(t, synth.Config{N: shape[0], M: shape[1], K: 3, Task: task, Seed: 3})
			made := func(o Options) Fitter {
				if task == synth.Regression {
					return Ridge{o}
				}
				return L2SVM{o}
			}
			m := mustFit(t, made(Options{Threads: 1}), d)
			if !bytes.Equal(fileOf(t, m), fileOf(t, mustFit(t, made(Options{Threads: 4}), d))) {
				t.Errorf("%s %v: the model depends on the number of threads", task, shape)
			}
			if n := len(m.Selected()); n != shape[1] {
				t.Errorf("%s %v: %d variables", task, shape, n)
			}
		}
		loss := "squared"
		if task == synth.Classification {
			loss = "logistic"
		}
		s := mixed(5, loss).thinned(2)
		o := Options{Scale: data.ScaleNone}
		var f Fitter = Ridge{o}
		tolerance := 1e-9
		if task == synth.Classification {
			f, tolerance = L2SVM{o}, 1e-2 // which rows are near the margin is a matter of rounding
		}
		near(t, task, slopes(mustFit(t, f, s.sparse(t)), s.Columns), slopes(mustFit(t, f, s.dense(t)), s.Columns), tolerance)
	}
}

// Both parts have rows of both classes, and each row is in one of them.
func TestHoldOut(t *testing.T) {
	s := mixed(6, "logistic")
	for i := range s.Y {
		s.Y[i] = -1
	}
	for i := range 8 {
		s.Y[i*9] = 1
	}
	s.Weight = nil
	made := rawTask(t, s.dense(t), "logistic")
	train, held := made.holdOut()
	count := map[float64]int{}
	for i, y := range s.Y {
		if train[i]+held[i] != 1 || train[i]*held[i] != 0 {
			t.Errorf("row %d weighs %v and %v", i, train[i], held[i])
		}
		count[y] += int(held[i])
	}
	if count[1] != 1 || count[-1] != 28 {
		t.Errorf("held out %v", count)
	}
}
