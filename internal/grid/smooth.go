package grid

// smooth adds scale times the gradient of the priors on the curves of a slice to grad, unless that is nil, and returns
// their value.
func (o *Objective) smooth(s *slice, grad, beta []float64, scale float64) (value float64) {
	if o.curve == nil {
		return 0
	}
	unused := make([]float64, o.knots)
	for j, column := range s.from {
		if !o.curved[column] {
			continue
		}
		for q := range o.outputs { // a group has the coefficients of an output side by side
			at := s.coefficient(j, q)
			to := unused
			if grad != nil {
				to = grad[at : at+o.knots]
			}
			value += o.curve.Eval(to, beta[at:at+o.knots], scale)
		}
	}
	return value
}

// addCurvature adds the bound on the Hessian of the priors on curves, times the direction.
func (o *Objective) addCurvature(weight float64) {
	if o.curve == nil {
		return
	}
	bound := o.curve.Curvature()
	for _, s := range o.slices {
		for i, d := range s.direction {
			s.grad[i] += weight * bound * d
		}
	}
}
