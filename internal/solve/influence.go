package solve

import "gonum.org/v1/gonum/mat"

// Influence returns how much each row moves the optimum on some columns: for each column, the change of its coefficient by
// the share of the row in the gradient, H⁻¹xr, where H is the Hessian of the summed loss. The squares of a column add up
// to the variance of its coefficient, whatever the distribution of the errors (White 1982). The loss must have one output
// and depend on one row at a time.
func (p *Problem) Influence(s *Solution, cols []int) ([][]float64, error) {
	p.Complete(s, cols)
	n, rows := len(cols), p.rows()
	curvature, weight := p.curvature(s.Z, p.Target)
	residual := make([]float64, rows)
	p.Loss.Eval(residual, s.Z, p.Target)
	hessian, cell := mat.NewSymDense(n+1, nil), make([]float64, rows)
	column := func(j int) []float64 {
		if j < n {
			return p.X[cols[j]]
		}
		return nil // of the intercept
	}
	for j := range n + 1 {
		for i, d := range curvature {
			if cell[i] = d; j < n {
				cell[i] *= column(j)[i]
			}
		}
		for k := j; k < n; k++ {
			hessian.SetSym(j, k, dot(cell, column(k)))
		}
		hessian.SetSym(j, n, total(cell))
		if j < n {
			hessian.SetSym(j, j, hessian.At(j, j)+2*(p.Ridge+p.Penalty[cols[j]])*weight)
		}
	}
	if !p.Intercept {
		for j := range n {
			hessian.SetSym(j, n, 0)
		}
	}
	var factor mat.Cholesky
	var inverse mat.SymDense
	if !factor.Factorize(hessian) || factor.InverseTo(&inverse) != nil {
		return nil, ErrSingular
	}
	to := make([][]float64, n)
	for j := range to {
		to[j] = make([]float64, rows)
		for i := range to[j] {
			if p.Intercept {
				to[j][i] = inverse.At(j, n)
			}
		}
		for k := range n {
			axpy(to[j], inverse.At(j, k), column(k))
		}
		for i, r := range residual {
			to[j][i] *= -r
		}
	}
	return to, nil
}
