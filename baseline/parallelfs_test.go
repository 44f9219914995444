package baseline

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/data"
)

// All pairs of tests around a subset are worth what they are when every test has
// a regression of its own, on dense and sparse tables.
func TestParallelFSGolden(t *testing.T) {
	ctx := context.Background()
	var want struct {
		sample
		Members []int
		Worth   []float64
	}
	readGolden(t, "parallelfs", &want)
	for name, d := range map[string]*data.Dataset{"dense": want.dense(t), "sparse": want.sparse(t)} {
		task, err := newTask(ctx, "parallel-fs", d, Options{K: 4}, "squared")
		if err != nil {
			t.Fatal(err)
		}
		worth := make([]float64, want.Columns)
		if err := newGroupTests(task).add(ctx, worth, want.Members); err != nil {
			t.Fatal(err)
		}
		near(t, name, worth, want.Worth, 1e-9)
	}
}

// A row of weight two is as good as the same row twice, and one of weight zero
// as good as none.
func TestParallelFSWeights(t *testing.T) {
	const seed = 16
	s := classes(seed, 90, 8, 1)
	twice := &sample{Columns: s.Columns}
	for i := range s.Y {
		s.Weight = append(s.Weight, float64(i%3))
		for range i % 3 {
			twice.X, twice.Y = append(twice.X, s.X[i*8:(i+1)*8]...), append(twice.Y, s.Y[i])
		}
	}
	a := mustFit(t, ParallelFS{Options{K: 3}}, s.dense(t))
	b := mustFit(t, ParallelFS{Options{K: 3}}, twice.dense(t))
	if got, want := chosen(a), chosen(b); !slices.Equal(got, want) {
		t.Errorf("seed %d: variables %v with weights, %v with copies", seed, got, want)
	}
	near(t, "slopes", slopes(a, 8), slopes(b, 8), 1e-6)
}

// Variables that nothing else says anything about are found, whatever subsets
// are drawn.
func TestParallelFSFinds(t *testing.T) {
	const columns = 30
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 0))
		s := &sample{Columns: columns}
		for range 300 {
			x := make([]float64, columns)
			for j := range x {
				x[j] = rng.NormFloat64()
			}
			s.X, s.Y = append(s.X, x...), append(s.Y, x[3]-x[14]+x[29]+rng.NormFloat64())
		}
		if got, want := chosen(mustFit(t, ParallelFS{Options{K: 3, Seed: seed}}, s.dense(t))), []int{3, 14, 29}; !slices.Equal(got, want) {
			t.Errorf("seed %d: variables %v, want %v", seed, got, want)
		}
	}
}
