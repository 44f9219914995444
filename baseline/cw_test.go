package baseline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"fsa/model"
)

// After a step the margin of the row is phi variances, no more. The margin moves
// by step times its variance v, which itself falls to 1/(1/v + certainty).
func TestConfident(t *testing.T) {
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		margin, variance, phi := 5*rng.NormFloat64(), 10*rng.Float64()+1e-3, 0.1+3*rng.Float64()
		step, certainty := confident(margin, variance, phi)
		if margin >= phi*variance {
			if step > 1e-12 {
				t.Errorf("seed %d: margin %v of variance %v moved, though it is enough", seed, margin, variance)
			}
			continue
		}
		after, spread := margin+step*variance, 1/(1/variance+certainty)
		if want := phi * spread; math.Abs(after-want) > 1e-9*(1+want) {
			t.Errorf("seed %d: margin %v of variance %v becomes %v, want %v", seed, margin, variance, after, want)
		}
	}
}

// Classes that can be told apart are told apart, on dense and sparse rows.
func TestCWSeparates(t *testing.T) {
	const seed = 6
	s := classes(seed, 300, 20, 0).thin()
	for i := range s.Y {
		s.Y[i] = 0
		if s.X[i*s.Columns]+2*s.X[i*s.Columns+1] > 0 {
			s.Y[i] = 1
		}
	}
	for name, f := range map[string]func(testing.TB) *model.Model{
		"dense":  func(t testing.TB) *model.Model { return mustFit(t, CW{}, s.dense(t)) },
		"sparse": func(t testing.TB) *model.Model { return mustFit(t, CW{}, s.sparse(t)) },
	} {
		m := f(t)
		if e := m.Training().Metrics["error"]; e > 0.02 {
			t.Errorf("seed %d, %s: an error of %v", seed, name, e)
		}
		if got := len(m.Selected()); got != s.Columns {
			t.Errorf("%s: %d variables, want all %d", name, got, s.Columns)
		}
	}
}

func TestCWRefuses(t *testing.T) {
	s := classes(1, 30, 3, 0)
	for _, c := range []float64{0.5, 1, 0.2, math.NaN()} {
		if _, err := (CW{Confidence: c}).Fit(context.Background(), s.dense(t)); !errors.Is(err, model.ErrOptions) {
			t.Errorf("confidence %v: %v, want an error of the options", c, err)
		}
	}
	for range s.Y {
		s.Weight = append(s.Weight, 2)
	}
	if _, err := (CW{}).Fit(context.Background(), s.dense(t)); !errors.Is(err, model.ErrOptions) {
		t.Errorf("weights: %v, want an error of the options", err)
	}
}
