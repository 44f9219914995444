package anneal_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/need"
)

// TestSupport checks that the true variables are found in easy problems, with all kinds of groups and settings.
func TestSupport(t *testing.T) {
	need.Long(t)
	want := []int{3, 17, 18, 39}
	for _, width := range []int{1, 3} {
		for _, parts := range []int{1, 4} {
			for _, logistic := range []bool{false, true} {
				for _, momentum := range []float64{0, -1} {
					name := fmt.Sprintf("width %d, %d batches, logistic %v, momentum %g", width, parts, logistic, momentum)
					t.Run(name, func(t *testing.T) {
						l := anneal.Uniform(40, width, 1)
						truth := spread(l, want...)
						d := linear(5, 800, l, truth, 0.1)
						d.Parts = parts
						if logistic {
							classified(d)
						}
						r := anneals(t, d, anneal.Settings{K: len(want), Momentum: momentum})
						if !slices.Equal(r.Groups, want) {
							t.Fatalf("groups %v, want %v", r.Groups, want)
						}
						if got := coefficients(l, r.Groups, r.Beta); !logistic && !closeTo(got, truth, 0.02) {
							t.Errorf("beta %.3g, want %.3g", got, truth)
						}
					})
				}
			}
		}
	}
}

// TestPermutation checks that permuted groups give the permuted result.
func TestPermutation(t *testing.T) {
	for seed := range uint64(5) {
		l := anneal.Uniform(15, 2, 1)
		d := linear(seed, 80, l, spread(l, 1, 7, 12), 1)
		order := rand.New(rand.NewPCG(seed, 2)).Perm(l.Groups())
		moved := *d
		moved.X = make([][]float64, len(d.X))
		for i, x := range d.X {
			for _, j := range order {
				moved.X[i] = append(moved.X[i], l.Of(x, j)...)
			}
			moved.X[i] = append(moved.X[i], x[l.Len()-1])
		}
		s := anneal.Settings{K: 4, Eta: 0.2, Iterations: 100}
		plain, other := anneals(t, d, s), anneals(t, &moved, s)

		want := coefficients(l, plain.Groups, plain.Beta)
		at := coefficients(l, other.Groups, other.Beta)
		got := slices.Clone(at)
		for to, from := range order {
			copy(l.Of(got, from), l.Of(at, to))
		}
		if !closeTo(got, want, 1e-9) {
			t.Errorf("seed %d: groups in the order %v give\n%g\nin their own order\n%g", seed, order, got, want)
		}
	}
}

// TestTies checks that the first of several equal variables is kept.
func TestTies(t *testing.T) {
	l := anneal.Uniform(8, 1, 0)
	for _, c := range []struct {
		copies []int // the column that each column is a copy of
		k      int
		want   []int
	}{
		{[]int{0, 0, 0, 0, 0, 0, 0, 0}, 3, []int{0, 1, 2}},
		{[]int{1, 0, 1, 0, 1, 0, 1, 0}, 3, []int{1, 3, 5}},
		{[]int{1, 0, 1, 0, 1, 0, 1, 0}, 5, []int{0, 1, 3, 5, 7}},
	} {
		d := linear(3, 50, l, []float64{5, 0, 0, 0, 0, 0, 0, 0}, 0.1)
		for _, x := range d.X {
			first := slices.Clone(x)
			for j, from := range c.copies {
				x[j] = first[from]
			}
		}
		// One step and one selection, so that only the tie-break decides.
		r := anneals(t, d, anneal.Settings{K: c.k, Iterations: 1, Eta: 0.1})
		if !slices.Equal(r.Groups, c.want) {
			t.Errorf("copies %v: groups %v stay, want %v", c.copies, r.Groups, c.want)
		}
	}
}

func TestForce(t *testing.T) {
	l := anneal.Uniform(12, 2, 1)
	data := func() anneal.Objective {
		d := linear(2, 100, l, spread(l, 0, 4, 8), 0.1)
		for _, x := range d.X {
			clear(l.Of(x, 10)) // a group without any information
		}
		return d
	}
	for _, c := range []struct {
		k           int
		force, want []int
	}{
		{3, nil, []int{0, 4, 8}},
		{4, []int{10}, []int{0, 4, 8, 10}},
		{3, []int{10}, []int{4, 8, 10}},
		{3, []int{11, 10}, []int{8, 10, 11}},
		{3, []int{8, 1, 10}, []int{1, 8, 10}},
		{2, []int{8}, []int{4, 8}},
	} {
		r := anneals(t, data(), anneal.Settings{K: c.k, Force: c.force})
		if !slices.Equal(r.Groups, c.want) {
			t.Errorf("K = %d with %v forced: groups %v, want %v", c.k, c.force, r.Groups, c.want)
		}
		if i := slices.Index(r.Groups, 10); i >= 0 && !slices.Equal(r.Group(i), []float64{0, 0}) {
			t.Errorf("a group without data has the coefficients %g", r.Group(i))
		}
	}
}

// TestFree checks that an intercept of any size is fitted, never dropped, and not counted.
func TestFree(t *testing.T) {
	l := anneal.Uniform(10, 1, 2)
	for _, intercept := range []float64{0, 100} {
		truth := spread(l, 2, 5)
		truth[l.Len()-2] = intercept
		d := linear(4, 100, l, truth, 0)
		for _, x := range d.X {
			x[l.Len()-1] = 0 // a free coefficient without any effect
		}
		r := anneals(t, d, anneal.Settings{K: 2})
		if !slices.Equal(r.Groups, []int{2, 5}) || r.Layout.Free != 2 || r.Layout.Groups() != 2 {
			t.Errorf("intercept %g: groups %v with layout %+v", intercept, r.Groups, r.Layout)
		}
		if got := r.Free(); math.Abs(got[0]-intercept) > 1e-6*(1+intercept) || got[1] != 0 {
			t.Errorf("free coefficients %g, want %g and 0", got, intercept)
		}
	}
}

// TestWarmUp checks that warm-up drops nothing and that epochs are counted
// from 1 after it.
func TestWarmUp(t *testing.T) {
	l := anneal.Uniform(100, 1, 0)
	s := anneal.Settings{K: 5, Mu: 10, Iterations: 40}
	for _, n := range []int{0, 1, 7} {
		s.WarmUp = n
		r := anneals(t, linear(1, 50, l, spread(l, 1), 1), s)
		if len(r.Trace) != s.WarmUp+s.Iterations {
			t.Errorf("%d epochs, want %d + %d", len(r.Trace), s.WarmUp, s.Iterations)
		}
		for i, e := range r.Trace {
			want := 100
			if i >= s.WarmUp {
				want = anneal.Inverse(10)(i+1-s.WarmUp, 40, 100, 5)
			}
			if e.Groups != want {
				t.Errorf("warm-up %d: %d groups after epoch %d, want %d", s.WarmUp, e.Groups, i+1, want)
			}
		}
	}
}

// TestScheduleEpochs checks that a schedule is called for the epochs after warm-up, counted from 1, except for the last
// one, which keeps K.
func TestScheduleEpochs(t *testing.T) {
	l := anneal.Uniform(9, 1, 0)
	var asked []int
	s := anneal.Settings{K: 2, Iterations: 5, WarmUp: 3, Schedule: func(e, epochs, groups, k int) int {
		asked = append(asked, e)
		if epochs != 5 || groups != 9 || k != 2 {
			t.Errorf("epoch %d of %d, %d groups, k = %d, want 5 epochs, 9 groups and k = 2", e, epochs, groups, k)
		}
		return groups - e
	}}
	anneals(t, linear(1, 20, l, spread(l, 1), 1), s)
	if !slices.Equal(asked, []int{1, 2, 3, 4}) {
		t.Errorf("the schedule was called for the epochs %v", asked)
	}
}

// TestAll checks that nothing is dropped if all groups are kept.
func TestAll(t *testing.T) {
	l := anneal.Uniform(6, 2, 1)
	truth := spread(l, 0, 1, 2, 3, 4, 5)
	d := watched{Curved: linear(1, 60, l, truth, 0), keep: func([]int) error {
		t.Error("Keep was called")
		return nil
	}}
	if r := anneals(t, d, anneal.Settings{K: 6}); !closeTo(r.Beta, truth, 1e-6) {
		t.Errorf("beta %g, want %g", r.Beta, truth)
	}
}
