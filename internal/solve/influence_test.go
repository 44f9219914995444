package solve

import (
	"math"
	"testing"

	"fsa/loss"
)

// The log odds of a share p of n rows are too large by (2p − 1) / (2np(1 − p)) (Gart and Zweifel 1967), and the logarithm of
// a mean count m is too small by 1 / (2nm). The optimum of least squares has no bias.
func TestDebiased(t *testing.T) {
	x, classes, counts := make([]float64, 60), make([]float64, 60), make([]float64, 60)
	for i := range x {
		classes[i] = -1
		counts[i] = float64(i % 3)
		if i < 20 {
			x[i] = 1
			counts[i] = float64(2 * (i % 2))
		}
		if i < 14 || i >= 45 { // 14 of 20, and 15 of 40
			classes[i] = 1
		}
	}
	share := func(p, n float64) float64 { return math.Log(p/(1-p)) - (2*p-1)/(2*n*p*(1-p)) }
	variance := func(y []float64, from, to int) (mean, square float64) {
		for _, v := range y[from:to] {
			mean += v / float64(to-from)
		}
		for _, v := range y[from:to] {
			square += (v - mean) * (v - mean) / float64(to-from)
		}
		return mean, square
	}
	count := func(from, to int) float64 {
		mean, square := variance(counts, from, to)
		return math.Log(mean) + square/(mean*mean)/(2*float64(to-from)) // 1 / (2nm) if the variance is the mean
	}
	for _, c := range []struct {
		loss       loss.Loss
		y          []float64
		base, with float64
	}{
		{loss.Logistic{}, classes, share(15.0/40, 40), share(14.0/20, 20)},
		{loss.Poisson{}, counts, count(20, 60), count(0, 20)},
	} {
		p := &Problem{X: [][]float64{x}, Penalty: []float64{0}, Loss: c.loss, Target: loss.Target{Y: c.y}, Intercept: true}
		s, err := p.Solve(t.Context(), []int{0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Debiased(s, []int{0})
		if err != nil {
			t.Fatal(err)
		}
		if base, with := got.Intercept[0], got.Intercept[0]+got.Beta[0][0]; math.Abs(base-c.base) > 1e-5 || math.Abs(with-c.with) > 1e-5 {
			t.Errorf("%T: %v and %v, not %v and %v", c.loss, base, with, c.base, c.with)
		}
	}
	p := &Problem{X: [][]float64{x}, Penalty: []float64{0}, Loss: loss.Squared{}, Target: loss.Target{Y: counts}, Intercept: true, Quadratic: true}
	s, err := p.Solve(t.Context(), []int{0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Debiased(s, []int{0})
	if err != nil || got.Beta[0][0] != s.Beta[0][0] || got.Intercept[0] != s.Intercept[0] {
		t.Errorf("%v %v, not %v: %v", got.Beta, got.Intercept, s.Beta, err)
	}
}
