package search

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"fsa/loss"
)

// Groups stand out if their likelihood ratio is above the median of the largest of irrelevant ones.
func TestStandOut(t *testing.T) {
	for _, name := range []string{"squared", "logistic"} {
		c := normal(5, 200, 6, 0.3, 1, 1, -0.6, 0.2).of(name)
		c.groups = [][]string{{"x4", "x5"}}
		s := c.sample(t, name)
		groups := []int{0, 1, 2, 3}
		f, err := s.Learn(t.Context(), groups, 1e-3, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		mean := func(groups []int) float64 {
			of, err := s.Learn(t.Context(), groups, 1e-3, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			v, _, err := of.MeanLoss(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for _, irrelevant := range []int{0, 1, 30, 1000000} {
			var want []int
			for i, g := range groups {
				with, without := mean(groups), mean(slices.Delete(slices.Clone(groups), i, i+1))
				ratio := 2 * 200 * (without - with) * loss.NatsOf(s.Loss)
				if name == "squared" {
					ratio = 200 * math.Log(without/with)
				}
				freedom := 1.0
				if i == 0 {
					freedom = 2
				}
				if (distuv.ChiSquared{K: freedom}).CDF(ratio) > math.Pow(2, -1/math.Max(float64(irrelevant), 1)) {
					want = append(want, s.Columns([]int{g})...)
				}
			}
			got, err := s.StandOut(t.Context(), f, irrelevant, 1e-3)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %d irrelevant: %v, not %v, %v", name, irrelevant, got, want, err)
			}
		}
	}
}

// The thresholds of ordered classes are those of the rows with a weight, and margins are the logarithms of probabilities.
func TestMarginsOfOrderedClasses(t *testing.T) {
	c := normal(6, 150, 3, 0, 0.5, 2, -1)
	for i, v := range c.y {
		c.y[i] = min(max(math.Floor(v+1.5), 0), 2)
	}
	s := c.sample(t, "ordinal")
	f := ran(t, s, []int{2}, annealed(descent(s), 0.01), 2)
	cuts, err := f.Cuts(t.Context())
	if err != nil || len(cuts) != 2 || !(cuts[0] < cuts[1]) {
		t.Fatalf("thresholds %v: %v", cuts, err)
	}
	z, err := f.margins(t.Context(), []int{7, 3})
	if err != nil || len(z) != 2 {
		t.Fatal(z, err)
	}
	by, err := f.MarginsOf(t.Context(), []int{7, 3})
	if err != nil || len(by) != 6 {
		t.Fatal(by, err)
	}
	for i, v := range z {
		below := func(cut float64) float64 { return 1 / (1 + math.Exp(v-cut)) }
		for class, want := range []float64{below(cuts[0]), below(cuts[1]) - below(cuts[0]), 1 - below(cuts[1])} {
			if got := math.Exp(by[2*class+i]); !near(got, want, 1e-9) {
				t.Errorf("row %d, class %d: %v, not %v", i, class, got, want)
			}
		}
	}
	if plain := normal(6, 50, 3, 0, 0.5, 2).sample(t, "squared"); plain != nil {
		f := ran(t, plain, []int{1}, annealed(descent(plain), 0.01), 1)
		if cuts, err := f.Cuts(t.Context()); cuts != nil || err != nil {
			t.Errorf("numbers have the thresholds %v: %v", cuts, err)
		}
	}
}

// Subsets have the margins of a fit of their groups alone.
func TestSubsets(t *testing.T) {
	for _, name := range []string{"squared", "logistic"} {
		s := normal(7, 120, 6, 0.5, 1, 1, -1, 1).of(name).sample(t, name)
		subsets, err := s.Subsets(t.Context(), []int{0, 2, 3, 5}, 0.01, false)
		if err != nil {
			t.Fatal(err)
		}
		rows := []int{4, 90, 0}
		for _, groups := range [][]int{{0, 2, 3, 5}, {2}, {0, 5}} {
			f, err := s.Learn(t.Context(), groups, 0.01, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			want, err := f.MarginsOf(t.Context(), rows)
			if err != nil {
				t.Fatal(err)
			}
			got, err := subsets.MarginsOf(t.Context(), groups, rows)
			if err != nil || !slices.EqualFunc(got, want, func(a, b float64) bool { return near(a, b, 1e-5) }) {
				t.Errorf("%s, %v: %v, not %v: %v", name, groups, got, want, err)
			}
		}
	}
}
