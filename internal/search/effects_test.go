package search

import (
	"math"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/solve"
)

// halvesOf returns the weights of rows in one half and the other.
func halvesOf(rows, by int) (weights [2][]float64) {
	for h := range weights {
		weights[h] = make([]float64, rows)
		for i := range rows {
			if i/by%2 == h {
				weights[h][i] = 1
			}
		}
	}
	return weights
}

// The estimate of an effect is the mean of b − (a − o)/2 over the half samples that have chosen it, and its variance that of
// the formula.
func TestEffects(t *testing.T) {
	for _, bins := range []int{0, 4} {
		c := normal(2, 120, 4, 0.4, 1, 1, -1)
		c.bins = bins
		s := c.sample(t, "squared")
		const ridge = 1e-3
		selected := [][]int{{0, 2}, {0, 1}, {0, 3}, {0, 1}}
		e := s.NewEffects([]int{1, 0, 3}, selected, ridge)
		if want := []int{0, 1}; !slices.Equal(e.often, want) { // 3 is selected once of four times
			t.Errorf("%v are selected often, not %v", e.often, want)
		}
		var estimates, variances [][]float64 // of group 0, by half sample
		for h, groups := range selected {
			weights := halvesOf(120, h+1)
			chosen := []int{0}
			if h == 3 {
				chosen = []int{3} // not among its groups: nothing is added
			}
			if err := e.Add(t.Context(), groups, chosen, weights[0]); err != nil {
				t.Fatal(err)
			}
			if h == 3 {
				continue
			}
			all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(groups, e.often))))
			of := func(weight []float64) (*Fit, []float64) {
				part := *s
				part.Target.Weight = weight
				f, err := part.Learn(t.Context(), all, ridge, false, nil)
				if err != nil {
					t.Fatal(err)
				}
				return f, f.Solution.Beta[0]
			}
			whole, b := of(nil)
			_, a := of(weights[0])
			_, o := of(weights[1])
			estimate := make([]float64, len(b))
			for j := range b {
				estimate[j] = b[j] - (a[j]-o[j])/2
			}
			influence, err := whole.problem.Influence(whole.Complete(), whole.columns)
			if err != nil {
				t.Fatal(err)
			}
			whole.problem.toKnots(estimate, influence)
			width := whole.problem.first[1]
			variance := make([]float64, width)
			for j := range width {
				for _, x := range influence[j] {
					variance[j] += x * x * 120 / float64(120-len(b)-1)
				}
			}
			estimates, variances = append(estimates, estimate[:width]), append(variances, variance)
		}
		got, se := e.Of(0)
		for j := range got {
			var mean, square, variance float64
			for h := range estimates {
				mean, square, variance = mean+estimates[h][j]/3, square+estimates[h][j]*estimates[h][j]/3, variance+variances[h][j]/3
			}
			if want := math.Sqrt(2*variance - min(max(square-mean*mean, 0), variance)); !near(got[j], mean, 1e-9) || !near(se[j], want, 1e-9) {
				t.Errorf("%d bins: %v ± %v, not %v ± %v", bins, got[j], se[j], mean, want)
			}
		}
		if len(got) == 0 {
			t.Error("no estimate")
		}
		if of, _ := e.Of(3); of != nil {
			t.Errorf("group 3: %v", of)
		}
		if bins > 0 { // the values at the knots have the mean 0 over rows
			share := 0.0
			for k, w := range s.bases([]int{0}, s.objective([]int{0}, 1, 0, s.Rows()))[0].share {
				share += w * got[k]
			}
			if math.Abs(share) > 1e-9 {
				t.Errorf("the mean over rows is %v", share)
			}
		}
	}
}

// Without selection the standard errors are those of least squares that do not assume equal variances.
func TestPlainEffects(t *testing.T) {
	c := normal(4, 80, 3, 0.3, 1, 1, -1)
	s := c.sample(t, "squared")
	e := s.NewEffects([]int{0, 1}, nil, 0)
	estimate, se, err := e.Plain(t.Context(), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Learn(t.Context(), []int{0, 1}, 0, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	influence, err := f.problem.Influence(f.Complete(), f.columns)
	if err != nil {
		t.Fatal(err)
	}
	for g := range 2 {
		variance := 0.0
		for _, x := range influence[g] {
			variance += x * x * 80 / 77
		}
		if !near(estimate[g][0], f.Solution.Beta[0][g], 1e-12) || !near(se[g][0], math.Sqrt(variance), 1e-12) || len(se[g]) != 1 {
			t.Errorf("group %d: %v ± %v", g, estimate[g], se[g])
		}
	}
}

// A half sample whose rows cannot determine a model is left out; other errors are not.
func TestEffectsOfSingularHalves(t *testing.T) {
	if unlessSingular(solve.ErrSingular) != nil || unlessSingular(nil) != nil || unlessSingular(anneal.ErrDiverged) == nil {
		t.Error("which errors are left out")
	}
}

// The other half of a half sample has the weights of all rows, and groups that are not asked for change nothing.
func TestEffectsOfWeights(t *testing.T) {
	c := normal(2, 60, 3, 0.4, 1, 1, -1)
	c.w = slices.Repeat([]float64{1, 2, 3}, 20)
	s := c.sample(t, "squared")
	half := make([]float64, 60)
	rest := slices.Clone(c.w)
	for i := 0; i < 60; i += 2 {
		half[i], rest[i] = c.w[i], 0
	}
	e := s.NewEffects([]int{0}, [][]int{{0}}, 0)
	if err := e.Add(t.Context(), []int{1}, []int{1}, half); err != nil || e.sums[0].n != 0 {
		t.Errorf("another group is added: %v", err)
	}
	if err := e.Add(t.Context(), []int{0, 1}, []int{0}, half); err != nil {
		t.Fatal(err)
	}
	of := func(weight []float64) float64 {
		part := *s
		part.Target.Weight = weight
		f, err := part.Learn(t.Context(), []int{0, 1}, 0, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f.Solution.Beta[0][0]
	}
	if got, _ := e.Of(0); !near(got[0], of(c.w)-(of(half)-of(rest))/2, 1e-9) {
		t.Errorf("%v, not %v", got[0], of(c.w)-(of(half)-of(rest))/2)
	}
}
