package loss_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa/loss"
)

// TestOrdinalDerivatives compares derivatives with differences of the sum at margins of all sizes, with weights,
// some of which are zero, and with classes that no row has.
func TestOrdinalDerivatives(t *testing.T) {
	const seed = 11
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 80 {
		n, classes := 3+rng.IntN(30), 3+rng.IntN(4)
		l := loss.Ordinal{Classes: classes}
		var target loss.Target
		z := make([]float64, n)
		for i := range n {
			z[i] = rng.NormFloat64()
			target.Y = append(target.Y, float64(rng.IntN(classes)))
			target.Weight = append(target.Weight, float64(rng.IntN(4))*0.7)
		}
		target.Weight[0] = 1
		for _, scale := range []float64{0, 1, 30, 800} {
			at, r, d := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range z {
				at[i] = scale * z[i]
			}
			sum, weight := l.Eval(r, at, target)
			if w := l.Curvature(d, target); w != weight {
				t.Fatalf("seed %d: weights %v and %v", seed, weight, w)
			}
			if !(sum >= 0 && sum < math.MaxFloat64) {
				t.Fatalf("seed %d, scale %v: sum %v", seed, scale, sum)
			}
			step := 1e-5 * max(1, scale)
			up, down := make([]float64, n), make([]float64, n)
			for i := range at {
				z0 := at[i]
				at[i] = z0 + step
				above, _ := l.Eval(up, at, target)
				at[i] = z0 - step
				below, _ := l.Eval(down, at, target)
				at[i] = z0
				if scale > 100 { // the thresholds of nearly separated classes are hardly determined
					continue
				}
				if got := (above - below) / (2 * step); !(math.Abs(got-r[i]) <= 1e-6*(1+sum/max(1, scale))+math.Abs(up[i]-down[i])) {
					t.Fatalf("seed %d, scale %v: derivative %d is %v, differences give %v", seed, scale, i, r[i], got)
				}
				if bend := (up[i] - down[i]) / (2 * step); bend > d[i]*(1+1e-6)+1e-6 {
					t.Fatalf("seed %d, scale %v: curvature %d is %v, above its bound %v", seed, scale, i, bend, d[i])
				}
			}
			cuts := l.Cuts(at, target)
			for c := 1; c < len(cuts); c++ {
				if !(cuts[c] > cuts[c-1]) {
					t.Fatalf("seed %d, scale %v: thresholds %v", seed, scale, cuts)
				}
			}
			total := 0.0
			for _, p := range loss.LogShares(nil, cuts, at[0]) {
				total += math.Exp(p)
			}
			if math.Abs(total-1) > 1e-9 {
				t.Fatalf("probabilities add up to %v", total)
			}
		}
	}
}
