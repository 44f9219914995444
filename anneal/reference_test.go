package anneal_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"fsa/anneal"
)

// reference is a plain implementation of Algorithm 1 for one batch. It does not renumber groups: the coefficients of
// dropped groups are zero. It sorts the groups to compare them, and has Nesterov's momentum in its original form, with a
// point and a look-ahead point. It returns the active groups and the coefficients after each epoch.
func reference(t *testing.T, whole anneal.Objective, s anneal.Settings) (alive [][]int, betas [][]float64) {
	t.Helper()
	l := whole.Layout()
	groups := make([]int, l.Groups())
	for j := range groups {
		groups[j] = j
	}
	grad := make([]float64, l.Len())
	at := make([]float64, l.Len())    // the point
	ahead := make([]float64, l.Len()) // look-ahead point, at which the gradient is computed
	for e := 1; e <= s.WarmUp+s.Iterations; e++ {
		_, weight, err := whole.Eval(t.Context(), 0, grad, ahead)
		if err != nil {
			t.Fatal(err)
		}
		for i := range at {
			before := at[i]
			at[i] = ahead[i] - s.Eta*grad[i]/weight
			ahead[i] = at[i] + max(s.Momentum, 0)*(at[i]-before)
		}
		if e > s.WarmUp {
			m := s.Schedule(e-s.WarmUp, s.Iterations, l.Groups(), s.K)
			slices.SortStableFunc(groups, func(a, b int) int {
				if fa, fb := slices.Contains(s.Force, a), slices.Contains(s.Force, b); fa != fb {
					return map[bool]int{true: -1, false: 1}[fa]
				}
				return cmp.Compare(norm(l, ahead, b), norm(l, ahead, a))
			})
			groups = slices.Sorted(slices.Values(groups[:m]))
		}
		for j := range l.Groups() {
			if !slices.Contains(groups, j) {
				clear(l.Of(at, j))
				clear(l.Of(ahead, j))
			}
		}
		alive = append(alive, slices.Clone(groups))
		betas = append(betas, slices.Clone(ahead))
	}
	return alive, betas
}

func norm(l anneal.Layout, beta []float64, j int) float64 {
	group := l.Of(beta, j)
	return anneal.Norm(group) / math.Sqrt(math.Sqrt(float64(len(group))))
}

// TestReference follows Run epoch by epoch on random problems.
func TestReference(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		free, offsets := rng.IntN(2), []int{0}
		for range 2 + rng.IntN(30) {
			offsets = append(offsets, offsets[len(offsets)-1]+1+rng.IntN(3))
		}
		l := anneal.Grouped(offsets, free)
		s := anneal.Settings{
			K:          1 + rng.IntN(l.Groups()),
			Schedule:   anneal.Inverse([]float64{0, 1, 10, 100}[rng.IntN(4)]),
			Iterations: 2 + rng.IntN(40),
			WarmUp:     rng.IntN(4),
			Eta:        0.05 + 0.1*rng.Float64(),
			Momentum:   []float64{-1, 0.5, 0.9}[rng.IntN(3)],
		}
		s.Force = rng.Perm(l.Groups())[:rng.IntN(s.K)]
		d := linear(seed, 60, l, spread(l, 0, 1), 0.3)
		if rng.IntN(2) == 0 {
			classified(d)
		}
		alive, betas := reference(t, d, s)
		name := fmt.Sprintf("seed %d, %+v, layout %+v", seed, s, l)
		s.Observe = func(e anneal.Epoch) {
			if want := alive[e.Epoch-1]; !slices.Equal(e.Alive, want) {
				t.Fatalf("%s: after epoch %d groups %v are alive, want %v", name, e.Epoch, e.Alive, want)
			}
			if got, want := coefficients(l, e.Alive, e.Beta), betas[e.Epoch-1]; !closeTo(got, want, 1e-9) {
				t.Fatalf("%s: after epoch %d\nbeta %g\nwant %g", name, e.Epoch, got, want)
			}
		}
		r := anneals(t, d, s)
		if len(r.Trace) != len(alive) || !slices.Equal(r.Groups, alive[len(alive)-1]) {
			t.Fatalf("%s: %d epochs end with groups %v, want %d and %v", name, len(r.Trace), r.Groups, len(alive), alive[len(alive)-1])
		}
	}
}

// TestMomentumDefault checks that the zero value means momentum.
func TestMomentumDefault(t *testing.T) {
	l := anneal.Uniform(8, 1, 1)
	for _, parts := range []int{1, 3} {
		var got [2]*anneal.Result
		for i, momentum := range []float64{0, anneal.DefaultMomentum} {
			d := linear(1, 60, l, spread(l, 2), 0.1)
			d.Parts = parts
			got[i] = anneals(t, d, anneal.Settings{K: 2, Iterations: 10, Momentum: momentum})
		}
		if !reflect.DeepEqual(got[0], got[1]) {
			t.Errorf("%d batches: 0 is not the momentum %g", parts, anneal.DefaultMomentum)
		}
	}
}
