package prior_test

import (
	"math"
	"testing"

	"fsa/internal/priortest"
	"fsa/prior"
)

func TestShrink(t *testing.T) { priortest.Run(t, prior.Ridge{Lambda: 0.3}) }

func TestSmooth(t *testing.T) { priortest.Run(t, prior.Smooth{C: 2}) }

func TestVariation(t *testing.T) { priortest.Run(t, prior.Variation{Q: 0.7}) }

func TestVariationWide(t *testing.T) { priortest.Run(t, prior.Variation{Q: 2, Delta: 5}) }

func TestSum(t *testing.T) {
	priortest.Run(t, prior.Sum{prior.Ridge{Lambda: 0.1}, prior.Smooth{C: 2}, prior.Variation{Q: 1, Delta: 0.5}})
}

func TestNoPrior(t *testing.T) { priortest.Run(t, prior.Sum{}) }

// The expected numbers are the formulas worked out by hand.
func TestKnownValues(t *testing.T) {
	for _, c := range []struct {
		name  string
		prior prior.Prior
		beta  []float64
		value float64
		grad  []float64
	}{
		{"shrink", prior.Ridge{Lambda: 0.5}, []float64{3, -4}, 12.5, []float64{3, -4}},
		{"shrink one", prior.Ridge{Lambda: 2}, []float64{3}, 18, []float64{12}},
		{"smooth, bend of 1−2·3+1 = −4", prior.Smooth{C: 0.5}, []float64{1, 3, 1}, 8, []float64{-4, 8, -4}},
		{"smooth, two bends of −2 and 2", prior.Smooth{C: 1}, []float64{0, 1, 0, 1}, 8, []float64{-4, 12, -12, 4}},
		{"smooth, a straight line", prior.Smooth{C: 1}, []float64{1, 3, 5, 7}, 0, []float64{0, 0, 0, 0}},
		{"smooth, two coefficients", prior.Smooth{C: 1}, []float64{1, 3}, 0, []float64{0, 0}},
		{"variation, a jump of 3 up and 2 down", prior.Variation{Q: 2, Delta: 1}, []float64{0, 3, 1},
			2 * (2.5 + 1.5), []float64{-2, 4, -2}},
		{"variation, a jump of half δ", prior.Variation{Q: 2, Delta: 1}, []float64{0, 0.5},
			2 * 0.125, []float64{-1, 1}},
		{"variation, δ = 0.01", prior.Variation{Q: 1}, []float64{0, -1, -1}, 0.995, []float64{1, -1, 0}},
		{"variation, one coefficient", prior.Variation{Q: 1}, []float64{5}, 0, []float64{0}},
		{"second-order prior of eq. prior2", prior.Sum{prior.Ridge{Lambda: 1}, prior.Smooth{C: 0.5}},
			[]float64{1, 3, 1}, 19, []float64{-2, 14, -2}},
		{"no prior", prior.Sum{}, []float64{1}, 0, []float64{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			grad := make([]float64, len(c.beta))
			value := c.prior.Eval(grad, c.beta, 1)
			if math.Abs(value-c.value) > 1e-15 {
				t.Errorf("value %v, want %v", value, c.value)
			}
			for k := range grad {
				if math.Abs(grad[k]-c.grad[k]) > 1e-15 {
					t.Errorf("derivative %d is %v, want %v", k, grad[k], c.grad[k])
				}
			}

			zero := make([]float64, len(c.beta))
			clear(grad)
			if value := c.prior.Eval(grad, zero, 1); value != 0 {
				t.Errorf("value %v at zero, want 0", value)
			}
			for k := range grad {
				if grad[k] != 0 {
					t.Errorf("derivative %d is %v at zero, want 0", k, grad[k])
				}
			}
		})
	}
}

func TestKnownCurvatures(t *testing.T) {
	for _, c := range []struct {
		prior prior.Prior
		want  float64
	}{
		{prior.Ridge{Lambda: 3}, 6},
		{prior.Smooth{C: 3}, 96},
		{prior.Variation{Q: 3, Delta: 0.5}, 24},
		{prior.Variation{Q: 3}, 1200},
		{prior.Sum{prior.Ridge{Lambda: 3}, prior.Smooth{C: 3}}, 102},
		{prior.Sum{}, 0},
	} {
		if got := c.prior.Curvature(); math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%T%+v: curvature %v, want %v", c.prior, c.prior, got, c.want)
		}
	}
}
