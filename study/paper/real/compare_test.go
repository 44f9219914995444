package real

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// One list is the t test of one sample: golden values by scipy.stats.ttest_1samp of SciPy 1.17. Two
// lists of equal variance are half of Welch's test of two samples, the second with its sign
// changed, by scipy.stats.ttest_ind.
func TestStratified(t *testing.T) {
	mean, se, p := stratified([][]float64{{1, 2, 4, 0.5, -1}})
	near(t, "mean", mean, 1.3, 1e-12)
	near(t, "standard error", *se, 0.8306623862918075, 1e-12)
	near(t, "p", *p, 0.1926313336768793, 1e-12)
	mean, se, p = stratified([][]float64{{1, 2, 4}, {0.5, -1}})
	near(t, "mean", mean, 1.0416666666666667, 1e-12)
	near(t, "standard error", *se, 0.5788518328937419, 1e-12)
	near(t, "p", *p, 0.17283380474651844, 1e-12)
	if _, se, p := stratified([][]float64{{1, 2}, {3}}); se != nil || p != nil {
		t.Error("one number says how much it varies")
	}
	if _, se, _ := stratified([][]float64{{1}, {3}}); se == nil || *se != 1 {
		t.Error("sets with one seed each are not taken as one sample")
	}
	for _, l := range [][]float64{{1, 1.5, 1}, {0.1, 0.1, 0.1, 0.1}} {
		if _, _, p := stratified([][]float64{l}); p != nil {
			t.Errorf("p = %v of %v", *p, l)
		}
	}
	if _, _, p := stratified([][]float64{{0, 0}}); *p != 1 {
		t.Errorf("p = %v where nothing differs", *p)
	}
}

// The example is computed by hand: 3·0.01, then max(0.03, 2·0.03), then max(0.06, 0.04).
func TestHolm(t *testing.T) {
	list := []*Comparison{{P: new(0.04)}, {P: new(0.01)}, {}, {P: new(0.03)}}
	holm(list)
	for i, want := range map[int]float64{0: 0.06, 1: 0.03, 3: 0.06} {
		near(t, "p", *list[i].Holm, want, 1e-15)
	}
	if list[2].Holm != nil {
		t.Error("an unknown p was corrected")
	}
}

// Calibrated probabilities have slope 1, overconfident ones less; an intercept of their own changes
// nothing.
func TestPooledSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	fits := make([]Record, 2)
	for f := range fits {
		for range 20000 {
			z := 2 * rng.NormFloat64()
			y := 0.0
			if rng.Float64() < 1/(1+math.Exp(-z)) {
				y = 1
			}
			fits[f].logit, fits[f].y = append(fits[f].logit, 2*z+float64(f)), append(fits[f].y, y)
		}
	}
	near(t, "slope", pooledSlope(fits), 0.5, 0.02)
	near(t, "slope of separable rows", pooledSlope([]Record{{logit: []float64{-1, 1, -2, 2}, y: []float64{0, 1, 0, 1}}}), mostSlope, 0)
	near(t, "slope of the opposite", pooledSlope([]Record{{logit: []float64{-1, 1, -2, 2, 1}, y: []float64{1, 0, 1, 0, 1}}}), leastSlope, 0)
	if s := pooledSlope([]Record{{logit: []float64{1, 1}, y: []float64{0, 1}}}); s == s {
		t.Errorf("slope %v of equal predictions", s)
	}
}

// Wins, losses and means are those of the fits that both methods have.
func TestPaired(t *testing.T) {
	record := func(set string, seed uint64, k int, method string, v float64) Record {
		return Record{Family: "f", Set: set, Seed: seed, K: k, Method: method, Measures: map[string]float64{errorRate: v}}
	}
	list := compare([]Record{
		record("a", 1, 5, Ours, 0.1), record("a", 1, 9, Ours, 0.2), record("a", 2, 5, Ours, 0.3), record("b", 1, 5, Ours, 0.4), record("b", 2, 5, Ours, 0.2),
		record("a", 1, 5, "l1", 0.2), record("a", 1, 9, "l1", 0.1), record("a", 2, 5, "l1", 0.5), record("b", 1, 5, "l1", 0.4), record("b", 3, 5, "l1", 0.4),
	})
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	c := list[0]
	if c.Wins != 2 || c.Losses != 1 || c.SE != nil || c.Holm != nil || c.Behind() || c.Leads() {
		t.Errorf("%+v", c)
	}
	near(t, "ours", c.Ours, ((0.15+0.3)/2+0.4)/2, 1e-15)
	near(t, "ahead", c.Ahead, (0.2/2+0)/2, 1e-15)
}
