package solve

import "math"

// refinements is the maximum number of steps of iterative refinement.
const refinements = 3

// solveQuadratic returns the optimum of a quadratic loss. It solves the normal equations, which the Gram
// matrix and the gradient at the null model determine, with iterative refinement (Golub and Van Loan
// 2013, 3.5.3), and reads no rows.
func (p *Problem) solveQuadratic(cols []int) (*Solution, error) {
	if p.slopes == nil {
		p.setSlopes()
	}
	places := p.places(cols)
	factor, err := p.factor(places)
	if err != nil {
		return nil, err
	}
	beta, step, rest := make([]float64, len(places)), make([]float64, len(places)), make([]float64, len(places))
	for i, a := range places {
		rest[i] = -p.slopes[a]
	}
	least := p.Tolerance
	for n := range refinements {
		copy(step, rest)
		factor.solve(step)
		promised := dot(rest, step)
		if n == 0 {
			least = max(least, solveTolerance*math.Abs(promised))
		}
		if !(promised > least) {
			break
		}
		axpy(beta, 1, step)
		for i, a := range places {
			for j, b := range places {
				rest[i] -= p.hessian(a, b) * step[j]
			}
		}
	}
	s := &Solution{Beta: [][]float64{beta[:len(cols)]}, Intercept: []float64{0}}
	if p.Intercept {
		s.Intercept[0] = beta[len(cols)]
	}
	return s, nil
}

// Complete sets the margins and losses of a solution on some columns, if [Problem.Optimum] has left them out.
func (p *Problem) Complete(s *Solution, cols []int) {
	if s.Z != nil {
		return
	}
	s.Z = make([]float64, p.rows())
	for i := range s.Z {
		s.Z[i] = s.Intercept[0]
	}
	for from := 0; from < len(s.Z); from += chunk {
		z := s.Z[from:min(from+chunk, len(s.Z))]
		for j, col := range cols {
			axpy(z, s.Beta[0][j], p.X[col][from:from+len(z)])
		}
	}
	p.measure(make([]float64, p.rows()), s, cols)
}

// setSlopes computes the gradient of a quadratic loss at the null model by all coefficients.
func (p *Problem) setSlopes() {
	n := p.rows()
	p.residual, p.slopes = make([]float64, n), make([]float64, len(p.X)+1)
	p.Loss.Eval(p.residual, make([]float64, n), p.Target)
	for j, x := range p.X {
		p.slopes[j] = dot(x, p.residual) / p.nullWeight
	}
	p.slopes[len(p.X)] = total(p.residual) / p.nullWeight
}
