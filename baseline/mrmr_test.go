package baseline

import (
	"context"
	"slices"
	"testing"

	"fsa/data"
	"fsa/data/synth"
)

// The same variables in the same order as by scikit-learn's mutual information,
// for a response of classes and of numbers, on dense and sparse tables.
func TestMRMRGolden(t *testing.T) {
	ctx := context.Background()
	var want struct {
		sample
		Number            []float64
		K                 int
		OfLabel, OfNumber []int
	}
	readGolden(t, "mrmr", &want)
	number := want.sample
	number.Y = want.Number
	for _, c := range []struct {
		name string
		d    *data.Dataset
		want []int
	}{
		{"label, dense", want.dense(t), want.OfLabel},
		{"label, sparse", want.sparse(t), want.OfLabel},
		{"number, dense", number.dense(t), want.OfNumber},
		{"number, sparse", number.sparse(t), want.OfNumber},
	} {
		task, err := newTask(ctx, "mrmr", c.d, Options{K: want.K}, "squared", "logistic")
		if err != nil {
			t.Fatal(err)
		}
		got, err := task.relevant(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: variables %v, want %v", c.name, got, c.want)
		}
	}
}

// A row of weight two is as good as the same row twice, and one of weight zero
// as good as none.
func TestMRMRWeights(t *testing.T) {
	const seed = 15
	s := classes(seed, 90, 8, 1)
	twice := &sample{Columns: s.Columns}
	for i := range s.Y {
		s.Weight = append(s.Weight, float64(i%3))
		for range i % 3 {
			twice.X, twice.Y = append(twice.X, s.X[i*8:(i+1)*8]...), append(twice.Y, s.Y[i])
		}
	}
	a := mustFit(t, MRMR{Options{K: 4}}, s.dense(t))
	b := mustFit(t, MRMR{Options{K: 4}}, twice.dense(t))
	if got, want := chosen(a), chosen(b); !slices.Equal(got, want) {
		t.Errorf("seed %d: variables %v with weights, %v with copies", seed, got, want)
	}
	near(t, "slopes", slopes(a, 8), slopes(b, 8), 1e-6)
}

// A copy of the best variable is the last that is wanted.
func TestMRMRAvoidsCopies(t *testing.T) {
	c := synth.Config{Task: synth.Regression, N: 500, M: 20, K: 2, Seed: 1}
	d := synthetic(t, c)
	task, err := newTask(context.Background(), "mrmr", d, Options{K: 1}, "squared")
	if err != nil {
		t.Fatal(err)
	}
	first, err := task.relevant(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	s := &sample{Columns: 5, Y: d.Target.Y}
	for i := range s.Y {
		for _, v := range []int{first[0], first[0], 3, 14, 17} {
			_, column := task.columns.Cells(v)
			s.X = append(s.X, column[i])
		}
	}
	if got, want := chosen(mustFit(t, MRMR{Options{K: 4}}, s.dense(t))), []int{0, 2, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("seed %d: variables %v, want %v", c.Seed, got, want)
	}
}
