package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/internal/tuning"
)

// The selections within 1% of the lowest loss are those that a search over all selections finds, on tables of 18 columns
// that are correlated.
func TestNear(t *testing.T) {
	const columns, size, margin = 18, 4, 0.01
	tables, several := 50, 0
	if testing.Short() {
		tables = 15
	}
	for seed := range uint64(tables) {
		ridge := 0.001
		if seed == 0 { // the search must go through a set that is more than five times as far from the best one
			seed, ridge = 5037, 0
		}
		rng := rand.New(rand.NewPCG(seed, 18))
		c := &cells{cols: columns}
		for range 60 {
			row := make([]float64, columns)
			shared := rng.NormFloat64()
			for j := range row {
				row[j] = rng.NormFloat64() + shared
				if j > 0 {
					row[j] += row[j-1]
				}
			}
			c.x = append(c.x, row...)
			c.y = append(c.y, row[2]-row[7]+0.5*row[12]-0.5*row[15]+6*rng.NormFloat64())
		}
		s := c.sample(t, "squared")
		all, err := s.Subsets(t.Context(), upTo(columns), ridge, false)
		if err != nil {
			t.Fatal(err)
		}
		losses, best := map[string]float64{}, []int(nil)
		groups := upTo(size)
		for { // all selections in their order
			loss, _, err := all.lossOf(t.Context(), groups)
			if err != nil {
				t.Fatal(err)
			}
			if losses[fmt.Sprint(groups)] = loss; best == nil || loss < losses[fmt.Sprint(best)] {
				best = slices.Clone(groups)
			}
			at := size - 1
			for at >= 0 && groups[at] == columns-size+at {
				at--
			}
			if at < 0 {
				break
			}
			groups = slices.Clone(groups)
			groups[at]++
			for i := at + 1; i < size; i++ {
				groups[i] = groups[i-1] + 1
			}
		}
		want := map[string]bool{}
		for key, loss := range losses {
			if loss <= losses[fmt.Sprint(best)]*(1+margin) {
				want[key] = true
			}
		}
		start, err := s.Learn(t.Context(), best, ridge, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		sets, complete, err := s.Near(t.Context(), start, margin)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range sets {
			if !want[fmt.Sprint(set.Groups)] {
				t.Errorf("table %d: %v has loss %v, and the lowest is %v", seed, set.Groups, set.Loss, losses[fmt.Sprint(best)])
			}
		}
		if len(sets) != len(want) || !complete || !slices.Equal(sets[0].Groups, best) {
			t.Errorf("table %d: %d of %d sets, complete %v, the first %v, not %v", seed, len(sets), len(want), complete, sets[0].Groups, best)
		}
		if len(want) > 1 {
			several++
		}
	}
	if several < tables/2 {
		t.Errorf("only %d tables have several sets", several)
	}
}

// The search ends at its limit of fits, and says so.
func TestNearLimit(t *testing.T) {
	s := normal(1, 20, 70, 0, 1, 1, 1, 1).sample(t, "squared")
	f, err := s.Learn(t.Context(), []int{0, 1, 2}, 0.01, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	for margin, want := range map[float64]bool{1e-6: true, 9: false} {
		sets, complete, err := s.Near(t.Context(), f, margin)
		if err != nil || complete != want {
			t.Errorf("complete %v, %v", complete, err)
		}
		if n := len(sets); want && n > 10 || !want && (n < tuning.NearFits || n > tuning.NearFits+3*70) {
			t.Errorf("%d sets", n)
		}
	}
}

func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Every selection has a key of its own, whatever its numbers.
func TestKeyOf(t *testing.T) {
	seen := map[string][]int{}
	for _, groups := range [][]int{{}, {0}, {1}, {1 << 8}, {1 << 16}, {1 << 24}, {0, 1}, {1, 0}, {1 + 1<<8}, {1<<16 + 1<<24}, {0, 0}} {
		key := keyOf(groups)
		if other, known := seen[key]; known {
			t.Errorf("%v has the key of %v", groups, other)
		}
		seen[key] = groups
	}
}
