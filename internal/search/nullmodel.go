package search

import (
	"context"
	"math"
)

// NullGradient returns the derivative of the loss of each row by its decision value at the null model,
// one vector per output, and the weights of the rows.
func (s *Sample) NullGradient(ctx context.Context) (slopes [][]float64, weight []float64) {
	free, _ := s.objective([]int{}, 0, 0, s.Rows()).NullModel(ctx)
	rows, outputs := s.Rows(), s.Loss.Outputs()
	z, r := make([]float64, rows*outputs), make([]float64, rows*outputs)
	for c, v := range free {
		for i := range rows {
			z[c*rows+i] = v
		}
	}
	t := s.lossTarget()
	s.Loss.Eval(r, z, t)
	weight = make([]float64, rows)
	for i := range weight {
		weight[i] = t.WeightOf(i)
	}
	for c := range outputs {
		slopes = append(slopes, r[c*rows:(c+1)*rows])
	}
	return slopes, weight
}

// LossUnit returns a scale for differences of the mean loss: half the squared gradient of the null model
// over its curvature. It is approximately the decrease of the mean loss if every row were fitted
// perfectly. Unlike the loss itself, it does not include a constant that no model can lower.
func (s *Sample) LossUnit(ctx context.Context) float64 {
	slopes, weight := s.NullGradient(ctx)
	squares, heavy := squared(slopes, weight)
	curvature, sum := make([]float64, len(weight)), 0.0
	s.Loss.Curvature(curvature, s.lossTarget())
	for _, c := range curvature {
		sum += c
	}
	return squares / heavy / 2 / max(sum/heavy, math.SmallestNonzeroFloat64)
}

// squared returns the sum of squared gradients over the weights of their rows, and the sum of weights.
func squared(slopes [][]float64, weight []float64) (squares, heavy float64) {
	for i, w := range weight {
		heavy += w
		for _, g := range slopes {
			if w > 0 {
				squares += g[i] * g[i] / w
			}
		}
	}
	return squares, heavy
}

// null returns the null model, which has no groups.
func (s *Sample) null(ctx context.Context) (*Fit, error) {
	return s.Learn(ctx, []int{}, 0, false, nil)
}
