// Package priortest checks that a [prior.Prior] keeps the promises of the interface. The test of a
// new prior is one call:
//
//	func TestMine(t *testing.T) { priortest.Run(t, Mine{}) }
//
// The checks assume a continuous derivative; corners of the derivative are allowed.
package priortest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"fsa/prior"
)

// Run checks p on random coefficients, from none to many, small and large.
func Run(t *testing.T, p prior.Prior) {
	const seed = 21
	for _, check := range checks {
		t.Run(check.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 0))
			for range 20 {
				for _, n := range []int{0, 1, 2, 3, 4, 7, 40} {
					for _, scale := range []float64{0.003, 1, 100} {
						if err := check.run(p, rng, draw(rng, n, scale)); err != nil {
							t.Fatalf("seed %d: %v", seed, err)
						}
					}
				}
			}
		})
	}
}

// checks are the promises, each a function that returns an error that describes a broken promise at
// beta.
var checks = []struct {
	name string
	run  func(p prior.Prior, rng *rand.Rand, beta []float64) error
}{
	{"gradient", gradient},
	{"curvature", curvature},
	{"scale", scale},
	{"beta", keepsBeta},
}

func draw(rng *rand.Rand, n int, scale float64) []float64 {
	x := make([]float64, n)
	for k := range x {
		x[k] = scale * rng.NormFloat64()
	}
	return x
}

// eval returns the value and the derivatives of p at beta.
func eval(p prior.Prior, beta []float64) (value float64, grad []float64) {
	grad = make([]float64, len(beta))
	return p.Eval(grad, beta, 1), grad
}

// moved returns beta + step·v.
func moved(beta []float64, step float64, v []float64) []float64 {
	out := slices.Clone(beta)
	for k := range out {
		out[k] += step * v[k]
	}
	return out
}

// gradient compares the derivatives with central differences of the value.
func gradient(p prior.Prior, _ *rand.Rand, beta []float64) error {
	value, grad := eval(p, beta)
	size := 1e-3
	for _, b := range beta {
		size = max(size, math.Abs(b))
	}
	step := 1e-4 * size
	for k := range beta {
		v := make([]float64, len(beta))
		v[k] = 1
		up, down := moved(beta, step, v), moved(beta, -step, v)
		above, gradAbove := eval(p, up)
		below, gradBelow := eval(p, down)
		want := (above - below) / (up[k] - down[k])
		// The quotient is the mean of the derivative over the step. If the derivative bends, or has a
		// corner, its error is less than its second difference.
		bend := math.Abs(gradAbove[k] - 2*grad[k] + gradBelow[k])
		noise := 1e-14 * (math.Abs(value) + p.Curvature()*size*size) / step
		if !(math.Abs(grad[k]-want) <= bend+noise) {
			return fmt.Errorf("derivative %d is %g, differences of the value give %g\nbeta %g",
				k, grad[k], want, beta)
		}
	}
	return nil
}

// curvature compares vᵀHv with its bound, where H is the mean Hessian between two points along v:
// once for a random v, once for an alternating one, along which differences grow most.
func curvature(p prior.Prior, rng *rand.Rand, beta []float64) error {
	const step = 1e-3
	zigzag := make([]float64, len(beta))
	for k := range zigzag {
		zigzag[k] = float64(1 - 2*(k%2))
	}
	for _, v := range [][]float64{draw(rng, len(beta), 1), zigzag} {
		_, above := eval(p, moved(beta, step, v))
		_, below := eval(p, moved(beta, -step, v))
		var got, bound float64
		for k, x := range v {
			got += x * (above[k] - below[k]) / (2 * step)
			bound += p.Curvature() * x * x
		}
		if !(got <= bound*(1+1e-8)) {
			return fmt.Errorf("curvature %g along %g exceeds its bound %g\nbeta %g", got, v, bound, beta)
		}
	}
	return nil
}

// scale checks that Eval adds to the gradient, that the scale applies to the gradient, and not to
// the value.
func scale(p prior.Prior, rng *rand.Rand, beta []float64) error {
	value, grad := eval(p, beta)
	for _, c := range []float64{0, 0.5, 3} {
		start := draw(rng, len(beta), 1)
		got := slices.Clone(start)
		if v := p.Eval(got, beta, c); v != value {
			return fmt.Errorf("value %g with scale %g, %g with scale 1\nbeta %g", v, c, value, beta)
		}
		for k := range got {
			want := start[k] + c*grad[k]
			size := math.Abs(start[k]) + c*(math.Abs(grad[k])+p.Curvature()*math.Abs(beta[k]))
			if !(math.Abs(got[k]-want) <= 1e-12*size) {
				return fmt.Errorf("with scale %g, gradient %d went from %g to %g, want %g\nbeta %g",
					c, k, start[k], got[k], want, beta)
			}
		}
	}
	return nil
}

// keepsBeta checks that Eval does not change the coefficients.
func keepsBeta(p prior.Prior, _ *rand.Rand, beta []float64) error {
	after := slices.Clone(beta)
	eval(p, after)
	if !slices.Equal(after, beta) {
		return fmt.Errorf("coefficients were changed from %g to %g", beta, after)
	}
	return nil
}
