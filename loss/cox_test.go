package loss_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"fsa/loss"
)

// survival draws rows with ties, strata and weights, some of which are zero; half of the tables have entries.
func survival(rng *rand.Rand, n int) (l *loss.Cox, z []float64, t loss.Target) {
	event, stratum := make([]bool, n), make([]float64, n)
	for i := range n {
		t.Y = append(t.Y, float64(1+rng.IntN(n/2+1)))
		event[i], stratum[i] = rng.IntN(3) > 0, float64(rng.IntN(2))
		t.Weight = append(t.Weight, float64(rng.IntN(4))*0.7)
		z = append(z, rng.NormFloat64())
	}
	t.Query = []int{0, n}
	p := loss.Params{Times: t.Y, Events: event, Strata: stratum}
	if rng.IntN(2) == 0 {
		p.Ties = loss.TiesBreslow
	}
	if rng.IntN(2) == 0 {
		for _, time := range t.Y {
			p.Entries = append(p.Entries, time-1-float64(rng.IntN(n)))
		}
	}
	return loss.NewCox(p), z, t
}

// TestCoxDerivatives compares derivatives with differences of the sum at margins of all sizes.
func TestCoxDerivatives(t *testing.T) {
	const seed = 8
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 60 {
		l, z, target := survival(rng, 2+rng.IntN(20))
		for _, scale := range []float64{0, 1, 30, 800} {
			n := len(z)
			at, r, d := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range z {
				at[i] = scale * z[i]
			}
			sum, weight := l.Eval(r, at, target)
			if w := l.Curvature(d, target); w != weight {
				t.Fatalf("seed %d: weights %v and %v", seed, weight, w)
			}
			step := 1e-5 * max(1, scale)
			total := 0.0
			up, down := make([]float64, n), make([]float64, n)
			for i := range at {
				z0 := at[i]
				at[i] = z0 + step
				above, _ := l.Eval(up, at, target)
				at[i] = z0 - step
				below, _ := l.Eval(down, at, target)
				at[i] = z0
				if got := (above - below) / (2 * step); !(math.Abs(got-r[i]) <= 1e-6*(1+sum/max(1, scale))+math.Abs(up[i]-down[i])) {
					t.Fatalf("seed %d, scale %v: derivative %d is %v, differences give %v", seed, scale, i, r[i], got)
				}
				if bend := (up[i] - down[i]) / (2 * step); scale == 0 && bend > d[i]*(1+1e-6)+1e-6 {
					t.Fatalf("seed %d: curvature %d is %v, above its bound %v", seed, i, bend, d[i])
				}
				total += r[i]
			}
			if math.Abs(total) > 1e-9*(1+weight) { // a constant changes nothing
				t.Fatalf("seed %d, scale %v: derivatives add up to %v", seed, scale, total)
			}
		}
	}
}

// TestCoxInvariance checks that a constant, a row without weight and the scale of weights change nothing
// but the scale.
func TestCoxInvariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	l, z, target := survival(rng, 30)
	r := make([]float64, 30)
	sum, weight := l.Eval(r, z, target)
	for i := range z {
		if target.Weight[i] == 0 {
			z[i] = 1e6
		} else {
			z[i] += 300
		}
		target.Weight[i] *= 2
	}
	s := make([]float64, 30)
	if again, w := l.Eval(s, z, target); math.Abs(again-2*sum) > 1e-9*sum || w != 2*weight {
		t.Errorf("sum %v, weight %v, want %v, %v", again, w, 2*sum, 2*weight)
	}
	for i := range r {
		if math.Abs(s[i]-2*r[i]) > 1e-9 {
			t.Errorf("derivative %d is %v, want %v", i, s[i], 2*r[i])
		}
	}
}

// TestCoxGolden compares with statsmodels; testdata/cox.py writes the numbers.
func TestCoxGolden(t *testing.T) {
	file, err := os.ReadFile("testdata/cox.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Time, Z, Stratum, Entry []float64
		Event                   []bool
		Ties                    string
		LogLikelihood, Score    float64
	}
	if err := json.Unmarshal(file, &cases); err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		r := make([]float64, len(c.Z))
		l := loss.NewCox(loss.Params{Times: c.Time, Events: c.Event, Strata: c.Stratum, Entries: c.Entry, Settings: loss.Settings{Ties: c.Ties}})
		sum, _ := l.Eval(r, c.Z, loss.Target{Y: c.Time})
		null, _ := l.Eval(r, make([]float64, len(c.Z)), loss.Target{Y: c.Time})
		if got := null - sum; math.Abs(got-c.LogLikelihood) > 1e-9*sum {
			t.Errorf("case %d: log likelihood %v, want %v", i, got, c.LogLikelihood)
		}
		l.Eval(r, c.Z, loss.Target{Y: c.Time})
		score := 0.0
		for i, z := range c.Z {
			score -= r[i] * z
		}
		if math.Abs(score-c.Score) > 1e-9*sum {
			t.Errorf("case %d: score %v, want %v", i, score, c.Score)
		}
	}
}
