package priortest

import (
	"math/rand/v2"
	"testing"

	"fsa/prior"
)

// broken is shrinkage with something wrong.
type broken struct {
	eval      func(grad, beta []float64, scale float64) float64
	curvature float64
}

func (b broken) Eval(grad, beta []float64, scale float64) float64 { return b.eval(grad, beta, scale) }

func (b broken) Curvature() float64 { return b.curvature }

// TestBroken checks that the suite finds broken promises.
func TestBroken(t *testing.T) {
	good := prior.Ridge{Lambda: 1}
	for _, c := range []struct {
		name  string
		prior broken
		check func(prior.Prior, *rand.Rand, []float64) error
	}{
		{"derivative a little too large", broken{func(grad, beta []float64, scale float64) float64 {
			return good.Eval(grad, beta, 1.0001*scale)
		}, 2}, gradient},
		{"curvature too small", broken{good.Eval, 1.99}, curvature},
		{"scale on the value", broken{func(grad, beta []float64, scale float64) float64 {
			return scale * good.Eval(grad, beta, scale)
		}, 2}, scale},
		{"scale forgotten", broken{func(grad, beta []float64, _ float64) float64 {
			return good.Eval(grad, beta, 1)
		}, 2}, scale},
		{"gradient set", broken{func(grad, beta []float64, scale float64) float64 {
			clear(grad)
			return good.Eval(grad, beta, scale)
		}, 2}, scale},
		{"coefficients changed", broken{func(grad, beta []float64, scale float64) float64 {
			value := good.Eval(grad, beta, scale)
			for k := range beta {
				beta[k] *= 1 - 2*scale
			}
			return value
		}, 2}, keepsBeta},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, 0))
			if c.check(c.prior, rng, draw(rng, 5, 1)) == nil {
				t.Error("not found")
			}
		})
	}
}
