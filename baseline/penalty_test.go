package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa/internal/need"
)

// Best is compared with a search over many values.
func TestBestIsBest(t *testing.T) {
	need.Long(t)
	const seed = 4
	rng := rand.New(rand.NewPCG(seed, 1))
	for round := range 300 {
		lambda, curvature, u := rng.ExpFloat64(), 0.05+2*rng.Float64(), 4*rng.NormFloat64()
		for _, p := range costs(lambda) {
			cost := func(b float64) float64 { return curvature*(b-u)*(b-u)/2 + p.Value(b) }
			got := p.Best(u, curvature)
			least, at := math.Inf(1), 0.0
			for b := -12.0; b <= 12; b += 1.0 / 512 {
				if c := cost(b); c < least {
					least, at = c, b
				}
			}
			if cost(got) > least+1e-12 {
				t.Fatalf("seed %d, round %d, %#v: best of (%v, %v) is %v of cost %v, but %v costs %v", seed, round, p, u, curvature, got, cost(got), at, least)
			}
			if mirror := p.Best(-u, curvature); mirror != -got {
				t.Errorf("%#v: best of %v is %v, of %v %v", p, u, got, -u, mirror)
			}
		}
	}
}

// The threshold is the slope of the penalty at zero.
func TestThresholdIsTheSlope(t *testing.T) {
	for _, p := range costs(0.7) {
		const h = 1e-7
		if got := (p.Value(h) - p.Value(0)) / h; math.Abs(got-p.Threshold()) > 1e-6 {
			t.Errorf("%#v: slope %v, threshold %v", p, got, p.Threshold())
		}
		if p.Best(p.Threshold()*0.999/2, 2) != 0 {
			t.Errorf("%#v: a slope below the threshold lets a coefficient in", p)
		}
	}
}
