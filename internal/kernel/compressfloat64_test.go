package kernel_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/internal/kernel"
)

// Marked numbers are copied in their order, and nothing beside them is written.
func TestCompressFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(seed, 23))
	for n := range 70 {
		for _, of := range []int{1, 2, 5, 100} { // one in so many is left out
			marks, run := kernel.NewMarks(n), numbers[float64](rng, n, 1)
			var want []float64
			for i, v := range run {
				if rng.IntN(of) > 0 {
					marks.Mark(i)
					want = append(want, v)
				}
			}
			got, intact := guarded(rng, len(want), 1)
			if marks.Compress(got, run); !slices.Equal(got, want) || !intact() {
				t.Fatalf("%d numbers, one in %d left out: %v, want %v (seed %d)", n, of, got, want, seed)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a run of another length does not panic")
		}
	}()
	kernel.NewMarks(3).Compress(nil, make([]float64, 4))
}
