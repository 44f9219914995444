package solve

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"fsa/internal/need"
	"fsa/loss"
)

// TestDetours compares swaps with and without detours with the best of all subsets: with detours, they find it more
// often, and the objective is never higher.
func TestDetours(t *testing.T) {
	need.Long(t)
	const seeds, k = 30, 5
	var swapped, searched int
	for seed := range uint64(seeds) {
		x, y := sample(seed, 60, 14)
		for i := range y {
			y[i] = math.Copysign(1, y[i]+x[3][i]-x[5][i]+x[7][i]-x[9][i])
		}
		p := &Problem{X: x, Penalty: penalties(len(x), 0.001), Loss: loss.Logistic{}, Target: loss.Target{Y: y}, Intercept: true}
		solve := func(cols []int) *Solution {
			s, err := p.Solve(t.Context(), cols, nil)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		best := solve(all(k)).Objective
		for _, cols := range combin.Combinations(len(x), k) {
			best = min(best, solve(cols).Objective)
		}
		search := func(detours bool) float64 {
			first := all(k)
			q := p.copy()
			q.X, q.Penalty, q.gram = q.X[:k], q.Penalty[:k], nil
			chosen, _, err := q.Swap(t.Context(), columns{x}, first, nil, solve(first), Swaps{Most: 50, Gain: 1e-6, Try: 5, Detours: detours})
			if err != nil || !slices.IsSorted(chosen) || len(slices.Compact(slices.Clone(chosen))) != k {
				t.Fatal(chosen, err)
			}
			return solve(chosen).Objective
		}
		without, with := search(false), search(true)
		if with > without*(1+1e-5) {
			t.Errorf("seed %d: %v with detours and %v without", seed, with, without)
		}
		if without < best*(1+1e-5) {
			swapped++
		}
		if with < best*(1+1e-5) {
			searched++
		}
	}
	t.Logf("the best of all subsets is found on %d of %d tables by swaps, and on %d with detours", swapped, seeds, searched)
	if searched < seeds*9/10 || searched <= swapped {
		t.Errorf("detours find it on %d of %d tables, and swaps on %d", searched, seeds, swapped)
	}
}
