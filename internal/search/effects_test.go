package search

import (
	"math"
	"slices"
	"testing"

	"fsa/anneal"
	"fsa/internal/solve"
)

// halfOf returns half of the rows, in runs of the given length.
func halfOf(rows, by int) (list []int) {
	for i := range rows {
		if i/by%2 == 0 {
			list = append(list, i)
		}
	}
	return list
}

// The estimate of an effect is the mean over the half samples that have chosen it of what the rows of the other half say, and
// its variance that of the formula.
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
			half := halfOf(120, h+1)
			chosen := []int{0}
			if h == 3 {
				chosen = []int{3} // not among its groups: nothing is added
			}
			if err := e.Add(t.Context(), groups, chosen, half); err != nil {
				t.Fatal(err)
			}
			if h == 3 {
				continue
			}
			all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(groups, e.often))))
			whole, err := s.Learn(t.Context(), all, ridge, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			influence, err := whole.problem.Influence(whole.Complete(), whole.columns)
			if err != nil {
				t.Fatal(err)
			}
			b := whole.Solution.Beta[0]
			estimate := slices.Clone(b)
			for j := range b {
				for i, x := range influence[j] {
					if slices.Contains(half, i) {
						x = -x
					}
					estimate[j] += x
				}
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

// What a half sample adds is the change of the coefficients by the weights of its rows, and groups that are not asked for
// change nothing.
func TestEffectsOfWeights(t *testing.T) {
	c := normal(2, 60, 3, 0.4, 1, 1, -1)
	c.w = slices.Repeat([]float64{1, 2, 3}, 20)
	s := c.sample(t, "squared")
	half := halfOf(60, 1)
	e := s.NewEffects([]int{0}, [][]int{{0}}, 0)
	if err := e.Add(t.Context(), []int{1}, []int{1}, half); err != nil || e.sums[0].n != 0 {
		t.Errorf("another group is added: %v", err)
	}
	if err := e.Add(t.Context(), []int{0, 1}, []int{0}, half); err != nil {
		t.Fatal(err)
	}
	of := func(by float64) float64 {
		part := *s
		part.Target.Weight = slices.Clone(c.w)
		for i := range part.Target.Weight {
			if slices.Contains(half, i) {
				part.Target.Weight[i] *= 1 + by
			} else {
				part.Target.Weight[i] *= 1 - by
			}
		}
		f, err := part.Learn(t.Context(), []int{0, 1}, 0, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f.Solution.Beta[0][0]
	}
	const step = 1e-4
	if got, want := e.sums[0].estimate[0], of(0)-(of(step)-of(-step))/(2*step); !near(got, want, 1e-6) {
		t.Errorf("%v, not %v", got, want)
	}
}
