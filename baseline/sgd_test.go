package baseline

import (
	"context"
	"testing"

	"fsa/data"
	"fsa/data/synth"
)

// The same steps as scikit-learn's, row by row.
func TestSGDGolden(t *testing.T) {
	ctx := context.Background()
	var want struct {
		sample
		Alpha, Time   float64
		Epochs        int
		Dense, Sparse []float64 // coefficients and intercept
	}
	readGolden(t, "sgd", &want)
	order := make([]int, len(want.Y))
	for i := range order {
		order[i] = i
	}
	for _, c := range []struct {
		name string
		d    *data.Dataset
		want []float64
	}{{"dense", want.dense(t), want.Dense}, {"sparse", want.sparse(t), want.Sparse}} {
		task, err := newRowTask(ctx, "sgd", c.d, Options{Scale: data.ScaleNone}, "logistic")
		if err != nil {
			t.Fatal(err)
		}
		w := newStochastic(task, want.Alpha)
		w.time = want.Time
		for range want.Epochs {
			if err := w.walk(ctx, order); err != nil {
				t.Fatal(err)
			}
		}
		near(t, c.name, append(w.beta(), w.intercept), c.want, 1e-10)
	}
}

// It comes close to the minimum it is after.
func TestSGDConverges(t *testing.T) {
	ctx := context.Background()
	c := synth.Config{N: 400, M: 8, K: 3, Noise: 0.4, Seed: 12}
	d := synthetic(t, c)
	m := mustFit(t, SGD{Options: Options{Iterations: 200}, Ridge: 0.01}, d)
	task, err := newTask(ctx, "sgd", d, Options{K: c.M}, "logistic")
	if err != nil {
		t.Fatal(err)
	}
	intercept, beta, err := task.refit(ctx, task.design.Usable, 0.01)
	if err != nil {
		t.Fatal(err)
	}
	want, err := task.linear(1, intercept, task.design.Usable, beta)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "slopes", slopes(m, c.M), slopes(want, c.M), 0.03)
	near(t, "intercept", m.Intercept(), want.Intercept(), 0.03)
}
