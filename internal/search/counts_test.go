package search

import (
	"math"
	"testing"

	"fsa/internal/tuning"
	"fsa/loss"
)

// The guard judges counts by the loss that a fit gains, in the units of the likelihood.
func TestRidgeForCounts(t *testing.T) {
	c := normal(5, 80, 50, 0, 0.3, 0.3)
	for i, v := range c.y {
		c.y[i] = math.Floor(math.Exp(v) + 0.5)
	}
	s := c.sample(t, "poisson")
	r := annealed(descent(s), 0.001)
	r.Direct = true
	f := ran(t, s, []int{4}, r, 4)
	got, err := s.ridgeFor(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	mean, err := f.ob.MeanWithoutRidge(t.Context(), f.res.Beta)
	if err != nil {
		t.Fatal(err)
	}
	_, null := f.ob.NullModel(t.Context())
	explained := -math.Expm1(-2 * (null - mean) * loss.NatsOf(s.Loss))
	byChance := math.Expm1(4 * chanceGain(4, 50) / 80)
	share := 1 - (1-explained)*byChance/explained
	want := 0.0
	if share < tuning.GuardCertain {
		want = max((1/max(share, 1-tuning.GuardCertain)-1/tuning.GuardCertain)/2, 0)
	}
	if want == 0 || !near(got, want, 1e-9) {
		t.Errorf("ridge %v, not %v", got, want)
	}
}
