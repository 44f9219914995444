package anneal_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"fsa/anneal"
)

// TestProject checks that a descent under bounds reaches the constrained optimum: columns are independent, so that each
// coefficient is its free optimum or the bound, and a variable at a bound of zero is dropped first.
func TestProject(t *testing.T) {
	l := anneal.Uniform(6, 1, 1)
	positive := func(_ int, beta []float64) { beta[0] = min(max(beta[0], 0), 1.2) }
	for _, batches := range []int{1, 4} {
		d := linear(4, 4000, l, []float64{1, -2, 0.5, -0.1, 0, 1.5, 3}, 0.1)
		d.Parts = batches
		r := anneals(t, d, anneal.Settings{K: 3, Iterations: 200, Project: positive})
		if want := []int{0, 2, 5}; !slices.Equal(r.Groups, want) {
			t.Fatalf("kept %v, want %v", r.Groups, want)
		}
		for i, want := range []float64{1, 0.5, 1.2} {
			if got := r.Group(i)[0]; got > 1.2 || batches == 1 && math.Abs(got-want) > 0.1 {
				t.Errorf("%d batches: coefficient %d is %v, want about %v", batches, i, got, want)
			}
		}
	}
}

// stored is an objective that stores the coefficients itself.
type stored struct{ anneal.Resident }

// TestProjectRefused checks that an objective that cannot project is refused.
func TestProjectRefused(t *testing.T) {
	l := anneal.Uniform(3, 1, 0)
	on := stored{anneal.Local(linear(1, 20, l, spread(l, 1), 1))}
	_, err := anneal.Run(t.Context(), on, anneal.Settings{K: 1, Project: func(int, []float64) {}})
	if !errors.Is(err, anneal.ErrProjection) {
		t.Errorf("got %v", err)
	}
}
