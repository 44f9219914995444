package losstest

import (
	"math"
	"math/rand/v2"
	"testing"

	"fsa/loss"
)

// broken is the logistic loss with something wrong.
type broken struct {
	loss.Logistic
	eval      func(r, z []float64, t loss.Target) (sum, weight float64)
	curvature func(d []float64, t loss.Target) float64
}

func (b broken) Eval(r, z []float64, t loss.Target) (sum, weight float64) {
	if b.eval == nil {
		return b.Logistic.Eval(r, z, t)
	}
	return b.eval(r, z, t)
}

func (b broken) Curvature(d []float64, t loss.Target) float64 {
	if b.curvature == nil {
		return b.Logistic.Curvature(d, t)
	}
	return b.curvature(d, t)
}

// TestBroken checks that the suite finds broken promises.
func TestBroken(t *testing.T) {
	good := loss.Logistic{}
	calls := 0.0
	for _, c := range []struct {
		name  string
		loss  broken
		check func(loss.Loss, source) error
	}{
		{"derivative a little too large", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			sum, weight := good.Eval(r, z, t)
			for i := range r {
				r[i] *= 1.0001
			}
			return sum, weight
		}}, gradient},
		{"derivative not set where it is small", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			all := make([]float64, len(r))
			sum, weight := good.Eval(all, z, t)
			for i := range r {
				if math.Abs(all[i]) > 1e-3 {
					r[i] = all[i]
				}
			}
			return sum, weight
		}}, gradient},
		{"curvature too small", broken{curvature: func(d []float64, t loss.Target) float64 {
			weight := good.Curvature(d, t)
			for i := range d {
				d[i] *= 0.99
			}
			return weight
		}}, curvature},
		{"overflow", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			_, weight := good.Eval(r, z, t)
			var sum float64
			for i, y := range t.Y {
				w := 1.0
				if t.Weight != nil {
					w = t.Weight[i]
				}
				sum += w * math.Log(1+math.Exp(-y*z[i]))
			}
			return sum, weight
		}}, extremes},
		{"negative", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			sum, weight := good.Eval(r, z, t)
			return sum - weight, weight
		}}, extremes},
		{"mean instead of sum", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			sum, weight := good.Eval(r, z, t)
			return sum / weight, 1
		}}, blocks},
		{"weights ignored", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			t.Weight = nil
			return good.Eval(r, z, t)
		}}, weights},
		{"weight by Curvature is another", broken{curvature: func(d []float64, t loss.Target) float64 {
			good.Curvature(d, t)
			return float64(len(d))
		}}, weights},
		{"weights squared", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			w := make([]float64, len(t.Y))
			for i := range w {
				w[i] = 1
				if t.Weight != nil {
					w[i] = t.Weight[i] * t.Weight[i]
				}
			}
			t.Weight = w
			return good.Eval(r, z, t)
		}}, copies},
		{"margins changed", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			for i, y := range t.Y {
				z[i] *= y
			}
			return good.Eval(r, z, t)
		}}, inputs},
		{"state kept", broken{eval: func(r, z []float64, t loss.Target) (float64, float64) {
			calls++
			sum, weight := good.Eval(r, z, t)
			return sum + calls, weight
		}}, inputs},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := source{Rand: rand.New(rand.NewPCG(20, 0)), outputs: 1}
			for range 50 {
				if c.check(c.loss, s) != nil {
					return
				}
			}
			t.Error("not found")
		})
	}
}
