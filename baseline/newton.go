package baseline

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// solver finds the steps to the minima of models plus half the weighted square of each coefficient.
// Computing and factoring the products of a model costs far more than anything else, and successive
// models are similar. So it does that for one model, and uses it to find the steps of others as
// long as they are similar.
type solver struct {
	weight []float64
	known  *quadratic
	solve  func(slope []float64) (step []float64) // of the known model
}

// step returns the step from a point where the model has the given slope. A model must be known.
func (s *solver) step(ctx context.Context, q *quadratic, slope []float64) ([]float64, error) {
	if s.known != q {
		if step, ok := s.conjugate(q, slope); ok {
			return step, nil
		}
		if err := s.learn(ctx, q); err != nil {
			return nil, err
		}
	}
	return s.solve(slope), nil
}

// learn makes a model the known one.
func (s *solver) learn(ctx context.Context, q *quadratic) error {
	if err := q.add(ctx, nil); err != nil {
		return err
	}
	solve, ok := q.factorize(s.weight)
	if !ok {
		return fmt.Errorf("the equations of %d variables have no solution", len(s.weight))
	}
	s.known, s.solve = q, solve
	return nil
}

// conjugate finds the step of a model similar to the known one, by conjugate gradients. ok is false
// if the models are not similar enough for fast convergence.
func (s *solver) conjugate(q *quadratic, slope []float64) (step []float64, ok bool) {
	const (
		rounds = 30
		enough = 1e-6 // of the possible gain
	)
	step = make([]float64, len(slope))
	slope = slices.Clone(slope)
	toward := s.solve(slope)
	gain := -floats.Dot(slope, toward)
	first := gain
	z, bent := make([]float64, len(q.row)), make([]float64, len(slope))
	for range rounds {
		if gain <= enough*first {
			return step, true
		}
		clear(z)
		s.known.product.combine(z, toward)
		mean := floats.Dot(q.row, z) / q.total
		for i, h := range q.row {
			z[i] = h * (z[i] - mean)
		}
		s.known.product.dots(bent, z)
		for a, w := range s.weight {
			bent[a] += w * toward[a]
		}
		length := gain / floats.Dot(toward, bent)
		floats.AddScaled(step, length, toward)
		floats.AddScaled(slope, length, bent)
		next := s.solve(slope)
		last := gain
		gain = -floats.Dot(slope, next)
		floats.AddScaledTo(toward, next, gain/last, toward)
	}
	return nil, false
}

// factorize prepares to find the step to the minimum of the model plus half the weighted square of
// each coefficient, from a point with a given slope. ok is false if there is no minimum.
func (q *quadratic) factorize(weight []float64) (step func(slope []float64) []float64, ok bool) {
	solve, ok := factorize(len(weight), func(i, j int) float64 {
		if i == j {
			return q.gram[i][i] + weight[i]
		}
		return q.gram[i][j]
	})
	return func(slope []float64) []float64 {
		step := solve(slope)
		for i := range step {
			step[i] = -step[i]
		}
		return step
	}, ok
}
