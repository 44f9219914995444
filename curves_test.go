package fsa_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa"
	"fsa/data"
)

// bowl returns rows with a binary column with missing values, a number with a quadratic effect, a number with a linear
// effect, and noise.
func bowl(t *testing.T, rows int, bend float64) *data.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	var x, y []float64
	for range rows {
		flag, a, b := float64(rng.IntN(2)), rng.NormFloat64(), rng.NormFloat64()
		y = append(y, 2*flag+bend*a*a+a+b+0.2*rng.NormFloat64())
		if rng.IntN(20) == 0 {
			flag = math.NaN()
		}
		x = append(x, 3+4*flag, a, b, rng.NormFloat64())
	}
	d, err := data.FromRows([]string{"flag", "bowl", "line", "noise"}, 4, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// By default, effects are curves if that predicts better, and lines otherwise. Among curves, a column of two values has a
// line, and its missing values have their own effect.
func TestLinesAndCurves(t *testing.T) {
	for _, c := range []struct {
		bend   float64
		bins   int
		curved bool
	}{{1, fsa.Auto, true}, {0, fsa.Auto, false}, {1, fsa.None, false}, {0, 5, true}} {
		table := bowl(t, 400, c.bend)
		m, err := fsa.Fit(t.Context(), table, fsa.Options{K: 3, Bins: c.bins})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range m.Selected() {
			if curved := v.Knots != nil; curved != (c.curved && v.Name != "flag") || v.Name == "noise" {
				t.Errorf("%+v: %s is a curve: %v", c, v.Name, curved)
			}
			if v.Name == "flag" && math.Abs(4*v.Coefficients[0]-2) > 0.3 {
				t.Errorf("%+v: the flag adds %v", c, 4*v.Coefficients[0])
			}
		}
		if r2 := m.Validation().Metrics["r2"]; (r2 > 0.9) != (c.curved || c.bend == 0) {
			t.Errorf("%+v: R² is %v out of fold", c, r2)
		}
	}
}
