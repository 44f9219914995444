package baseline

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
	"fsa/data/synth"
	"fsa/model"
)

// svmGolden is what scikit-learn says.
type svmGolden struct {
	sample
	Weights         []float64
	C               float64
	Plain, Weighted []float64 // coefficients and intercept
	Keep            int
	Kept            []int
	Last            []float64
}

func TestSVMGolden(t *testing.T) {
	ctx := context.Background()
	var want svmGolden
	readGolden(t, "svm", &want)
	task, err := newTask(ctx, "svm", want.dense(t), Options{K: 1, LossName: "svm"}, "svm")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := rowsOfDesign(ctx, task.design)
	if err != nil {
		t.Fatal(err)
	}
	machine := linearSVM{C: want.C, Tolerance: 1e-10, Epochs: 1e6, Seed: 3}
	alpha := make([]float64, len(want.Y))
	for _, c := range []struct {
		name         string
		weight, want []float64
	}{
		{"plain", nil, want.Plain},
		{"weighted", want.Weights, want.Weighted},
		{"plain, from the solution of another", nil, want.Plain},
	} {
		beta, intercept, err := machine.fit(ctx, rows, task.Y, c.weight, alpha)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.name, append(beta, intercept), c.want, 1e-6)
	}
}

// At the solution no dual variable can be moved to advantage, however hard the
// problem.
func TestSVMOptimality(t *testing.T) {
	const seed = 8
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(seed, 0))
	for _, c := range []float64{0.01, 1, 100} {
		s := classes(seed, 80, 5, 1).thin()
		for range s.Y {
			s.Weight = append(s.Weight, float64(rng.IntN(3)))
		}
		task, err := newTask(ctx, "svm", s.sparse(t), Options{K: 1, LossName: "svm"}, "svm")
		if err != nil {
			t.Fatal(err)
		}
		rows, err := rowsOfDesign(ctx, task.design)
		if err != nil {
			t.Fatal(err)
		}
		alpha := make([]float64, rows.Count)
		beta, intercept, err := linearSVM{C: c, Tolerance: 1e-6, Epochs: 1e6}.fit(ctx, rows, task.Y, task.Weight, alpha)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range alpha {
			gradient := task.Y[i]*(rows.Dot(i, beta)+intercept) - 1
			top := c * task.weight(i)
			if a < 0 || a > top || a < top && gradient < -1e-5 || a > 0 && gradient > 1e-5 {
				t.Errorf("seed %d, C = %v: row %d has α = %v of %v and gradient %v", seed, c, i, a, top, gradient)
			}
		}
	}
}

// Dropping one variable a round gives what scikit-learn does.
func TestRFEGolden(t *testing.T) {
	var want svmGolden
	readGolden(t, "svm", &want)
	m := mustFit(t, RFE{Options: Options{K: want.Keep}, Drop: 0.01, C: want.C}, want.dense(t))
	if got := chosen(m); !slices.Equal(got, want.Kept) {
		t.Fatalf("variables %v, want %v", got, want.Kept)
	}
	var last []float64
	for _, j := range want.Kept {
		last = append(last, slopes(m, want.Columns)[j])
	}
	near(t, "slopes", last, want.Last, 1e-3)
}

// Whatever the share that goes, K variables are left.
func TestRFEKeepsK(t *testing.T) {
	d := synthetic(t, synth.Config{N: 120, M: 50, K: 5, Seed: 6})
	for _, drop := range []float64{0.01, 0.2, 0.5, 0.99} {
		for _, k := range []int{1, 7, 50} {
			m := mustFit(t, RFE{Options: Options{K: k}, Drop: drop}, d)
			if got := len(m.Selected()); got != k {
				t.Errorf("dropping %v: %d variables, want %d", drop, got, k)
			}
		}
	}
	_, err := RFE{Options: Options{K: 5}, Drop: 1}.Fit(context.Background(), d)
	if !errors.Is(err, model.ErrOptions) {
		t.Errorf("dropping everything: %v, want an error of the options", err)
	}
	regression := synthetic(t, synth.Config{Task: synth.Regression, N: 50, M: 10, K: 2})
	if _, err := (RFE{Options: Options{K: 2}}).Fit(context.Background(), regression); !errors.Is(err, data.ErrBadData) {
		t.Errorf("a response of numbers: %v, want an error of the data", err)
	}
}
