package baseline

import (
	"context"
	"fmt"
)

// The minimal ridge of a refit, as a share of the variance of each variable: the shrinkage is
// negligible, but a solution always exists. For the squared loss it decides between collinear
// variables. For the logistic loss it keeps coefficients finite if the classes are separable, in a
// direction close to that of the widest margin.
const (
	leastSquared  = 1e-10
	leastLogistic = 1e-6
)

// refit minimises the mean loss plus ½·ridge·‖β‖² over the listed variables of
// the design, by Newton steps that are halved until the sum falls. It serves
// both losses: of the squared one the first step is the solution, and the next
// takes care of its rounding.
func (t *task) refit(ctx context.Context, variables []int, ridge float64) (intercept float64, beta []float64, err error) {
	l := newRowLoss(t)
	at := t.start(l)
	row := make([]float64, len(t.Y))
	l.bound(row)
	q := newQuadratic(t, row)
	if err := q.add(ctx, variables); err != nil {
		return 0, nil, err
	}
	least := leastSquared
	if t.Loss() == "logistic" {
		least = 4 * leastLogistic // the bound is a quarter of the weight
	}
	k, null := len(variables), at.value
	weight := make([]float64, k) // of the square of each coefficient
	for a := range weight {
		weight[a] = max(ridge, least*q.gram[a][a])
	}
	beta = make([]float64, k)
	cost := func(value float64, step []float64, length float64) float64 {
		for a, b := range beta {
			b += length * step[a]
			value += weight[a] * b * b / 2
		}
		return value
	}
	newton := solver{weight: weight}
	if err := newton.learn(ctx, q); err != nil {
		return 0, nil, fmt.Errorf("baseline: the refit of %s: %w", t.method, err)
	}
	slope, dz := make([]float64, k), make([]float64, len(t.Y))
	for range 100 {
		if t.Loss() == "logistic" {
			row = make([]float64, len(t.Y))
			l.curvature(row, at.pull)
			q = newQuadratic(t, row)
			q.measure(variables)
		}
		sum := 0.0
		for _, s := range at.pull {
			sum += s
		}
		if err := q.slopes(ctx, slope, at.pull, sum); err != nil {
			return 0, nil, err
		}
		for a, b := range beta {
			slope[a] += weight[a] * b
		}
		step, err := newton.step(ctx, q, slope)
		if err != nil {
			return 0, nil, fmt.Errorf("baseline: the refit of %s: %w", t.method, err)
		}
		shift := q.direction(dz, step, sum)
		gain := sum * sum / q.total // what the model promises, twice
		for a, s := range step {
			gain -= slope[a] * s
		}
		before, length := cost(at.value, step, 0), 1.0
		next := at.clone()
		for ; length > 1e-6; length /= 2 {
			for i, z := range at.margin {
				next.margin[i] = z + length*dz[i]
			}
			next.value = l.value(next.pull, next.margin)
			if cost(next.value, step, length) <= before {
				break
			}
		}
		if length <= 1e-6 {
			break // only rounding errors are left
		}
		next.intercept += length * shift
		at = next
		for a, s := range step {
			beta[a] += length * s
		}
		if gain <= 1e-14*null {
			break
		}
	}
	return at.intercept, beta, nil
}
