package solve

import (
	"context"
	"math"
	"slices"
)

// solveConstrained returns the optimum under constraints by sequential quadratic programming (Nocedal and Wright 2006,
// 18.1). Every step goes towards the minimum of a quadratic model of the objective under the constraints. The Hessian of
// the model is that at the null model, updated by the steps. It is exact for a quadratic loss, whose objective and gradient
// are computed from the Gram matrix.
func (p *Problem) solveConstrained(ctx context.Context, cols []int, from *Solution, constraints []Constraint) (*Solution, error) {
	places := p.places(cols)
	factor, err := p.factor(places)
	if err != nil {
		return nil, err
	}
	s := p.start(cols, from)
	x := slices.Clone(s.Beta[0])
	if p.Intercept {
		x = append(x, s.Intercept[0])
	}
	var eval func(x []float64) (objective float64, grad []float64)
	model := &quadratic{inverse: factor}
	if p.Quadratic {
		eval = p.quadraticModel(places)
	} else {
		model.updates = newInverse(factor, len(x))
		model.inverse = model.updates
		w := newEvaluator(p, cols)
		s.Z = make([]float64, w.n)
		eval = func(x []float64) (float64, []float64) {
			s.set(x, len(cols))
			w.eval(s)
			return s.Objective, slices.Clone(w.grad)
		}
	}
	if x, err = p.descend(ctx, x, model, constraints, eval); err != nil {
		return nil, err
	}
	if s.set(x, len(cols)); !p.Quadratic {
		eval(x)
		p.spread(s, cols)
	}
	return s, nil
}

// set sets the coefficients and the intercept of a solution with one output.
func (s *Solution) set(x []float64, columns int) {
	if copy(s.Beta[0], x[:columns]); len(x) > columns {
		s.Intercept[0] = x[columns]
	}
}

// quadraticModel returns the function that computes the objective of a quadratic loss, except for a constant, and its
// gradient.
func (p *Problem) quadraticModel(places []int) func(x []float64) (float64, []float64) {
	if p.slopes == nil {
		p.setSlopes()
	}
	return func(x []float64) (objective float64, grad []float64) {
		grad = make([]float64, len(x))
		for i, a := range places {
			for j, b := range places {
				grad[i] += p.hessian(a, b) * x[j]
			}
			objective += x[i] * (grad[i]/2 + p.slopes[a])
			grad[i] += p.slopes[a]
		}
		return objective, grad
	}
}

// descend takes steps until the predicted decrease is below the tolerance, and then further ones while the prediction
// falls: near the optimum rounding errors hide the decrease of the objective itself.
func (p *Problem) descend(ctx context.Context, x []float64, model *quadratic, constraints []Constraint, eval func(x []float64) (float64, []float64)) ([]float64, error) {
	q := newProgram(model.inverse, constraints)
	x = q.nearest(x)
	value, grad := eval(x)
	last := math.Inf(1) // the last predicted decrease
	for n, sharp := 0, 0; n < solveSteps && sharp < sharpenings; n++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := q.towards(x, grad)
		move := minus(to, x)
		promised := -dot(grad, move)
		enough := promised > max(p.Tolerance, solveTolerance*math.Abs(value))
		if !enough && (p.Tolerance > 0 || !(promised > 0 && promised < last)) {
			break
		}
		if !enough {
			sharp++
		}
		next, nextValue, nextGrad := lineSearch(x, to, move, value, promised, !enough, eval)
		if next == nil {
			if !model.updates.reset() {
				break
			}
			continue
		}
		model.updates.update(minus(next, x), minus(nextGrad, grad))
		x, value, grad, last = next, nextValue, nextGrad, promised
	}
	return x, nil
}

// quadratic is the quadratic model of the objective: the inverse of its Hessian, which is the same as updates if steps
// update it.
type quadratic struct {
	inverse inverse
	updates *bfgs
}

// lineSearch halves the step until the objective decreases enough (Armijo). If full is set, it takes the full step.
func lineSearch(x, to, step []float64, value, promised float64, full bool, eval func(x []float64) (float64, []float64)) (next []float64, objective float64, grad []float64) {
	next = to
	for n, t := 0, 1.0; n < halvings; n, t = n+1, t/2 {
		if n > 0 {
			next = slices.Clone(x)
			axpy(next, t, step)
		}
		if objective, grad = eval(next); full || objective <= value-sufficient*t*promised {
			return next, objective, grad
		}
	}
	return nil, 0, nil
}

func minus(a, b []float64) []float64 {
	d := slices.Clone(a)
	axpy(d, -1, b)
	return d
}

// towards returns the minimum of the quadratic model with the given gradient at x.
func (q *program) towards(x, grad []float64) []float64 {
	c := slices.Clone(grad)
	q.inverse.solve(c)
	return q.nearest(minus(x, c))
}
