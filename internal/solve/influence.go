package solve

import "gonum.org/v1/gonum/mat"

// Influence returns how much each row moves the optimum on some columns: for each column, the change of its coefficient by
// the share of the row in the gradient, −H⁻¹xr, where H is the Hessian of the summed loss. The squares of a column add up
// to the variance of its coefficient, whatever the distribution of the errors (White 1982). The loss must have one output
// and depend on one row at a time.
func (p *Problem) Influence(s *Solution, cols []int) ([][]float64, error) {
	p.Complete(s, cols)
	curvature, _ := p.derivatives(s.Z)
	to, _, err := p.influence(s, cols, curvature)
	if err != nil {
		return nil, err
	}
	return to[:len(cols)], nil
}

// Debiased returns an optimum without its bias of the order of 1 over the number of rows, and without objective. The optimum
// of a loss that is not quadratic is too far from zero if there are few rows for each column. To the second order it is
//
//	β + d − H⁻¹ (Σ x (h − Eh) xᵀd + Σ x ℓ‴ (xᵀd)² / 2),  d = Σ φ,
//
// with the influence φ of the rows, the curvature h and the third derivative ℓ‴ of their losses (Cox and Snell 1968). The
// expectation of the second term is that of Σ x h xᵀφ, and that of (xᵀd)² is the variance of the margin.
func (p *Problem) Debiased(s *Solution, cols []int) (*Solution, error) {
	p.Complete(s, cols)
	to := &Solution{Beta: [][]float64{append([]float64(nil), s.Beta[0]...)}, Intercept: append([]float64(nil), s.Intercept...)}
	if p.Quadratic {
		return to, nil
	}
	curvature, third := p.derivatives(s.Z)
	influence, inverse, err := p.influence(s, cols, curvature)
	if err != nil {
		return nil, err
	}
	n, rows := len(cols), p.rows()
	covariance := mat.NewSymDense(n+1, nil)
	for j := range n + 1 {
		for k := j; k < n+1; k++ {
			covariance.SetSym(j, k, dot(influence[j], influence[k]))
		}
	}
	x, sum := mat.NewVecDense(n+1, nil), mat.NewVecDense(n+1, nil)
	for i := range rows {
		own := 0.0
		for j := range n + 1 {
			v := 0.0
			switch {
			case j < n:
				v = p.X[cols[j]][i]
			case p.Intercept:
				v = 1
			}
			x.SetVec(j, v)
			own += v * influence[j][i]
		}
		sum.AddScaledVec(sum, curvature[i]*own+third[i]*mat.Inner(x, covariance, x)/2, x)
	}
	sum.MulVec(inverse, sum)
	for j := range n {
		to.Beta[0][j] += sum.AtVec(j)
	}
	to.Intercept[0] += sum.AtVec(n)
	return to, nil
}

// derivatives returns the second and the third derivative of each row's loss, times its weight, by differences of the first.
func (p *Problem) derivatives(z []float64) (second, third []float64) {
	second, third = make([]float64, len(z)), make([]float64, len(z))
	if p.Quadratic {
		p.Loss.Curvature(second, p.Target)
		return second, third
	}
	const step = 1e-3
	at := func(by float64) []float64 {
		to, moved := make([]float64, len(z)), make([]float64, len(z))
		for i, v := range z {
			moved[i] = v + by
		}
		p.Loss.Eval(to, moved, p.Target)
		return to
	}
	up, middle, down := at(step), at(0), at(-step)
	for i := range z {
		second[i], third[i] = (up[i]-down[i])/(2*step), (up[i]-2*middle[i]+down[i])/(step*step)
	}
	return second, third
}

// influence returns the influence of each row on the coefficients of some columns and the intercept (last), and the inverse
// Hessian of the summed loss.
func (p *Problem) influence(s *Solution, cols []int, curvature []float64) ([][]float64, *mat.SymDense, error) {
	n, rows := len(cols), p.rows()
	residual := make([]float64, rows)
	_, weight := p.Loss.Eval(residual, s.Z, p.Target)
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
		return nil, nil, ErrSingular
	}
	to := make([][]float64, n+1)
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
	return to, &inverse, nil
}
