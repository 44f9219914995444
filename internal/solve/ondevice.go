package solve

import "context"

// onDevice evaluates the objective on columns that are on a device.
type onDevice struct {
	p    *Problem
	cols []int
	grad []float64 // derivatives by the coefficients, followed by that of the intercept if the problem has one
}

func (w *onDevice) eval(s *Solution) error {
	s.Z = nil
	if err := w.p.Device.SetPoint(w.cols, s.Beta[0], s.Intercept[0]); err != nil {
		return err
	}
	if err := w.try(s, 0); err != nil {
		return err
	}
	return w.take(s)
}

// try computes the losses of s at t times the step.
func (w *onDevice) try(s *Solution, t float64) error {
	sum, err := w.p.Device.Loss(t)
	s.Loss = sum / w.p.nullWeight
	w.p.penalise(s, w.cols)
	return err
}

// take accepts the last trial point and computes the gradient there.
func (w *onDevice) take(s *Solution) error {
	k := len(w.cols)
	free, err := w.p.Device.Gradient(w.grad[:k])
	if err != nil {
		return err
	}
	for j, col := range w.cols {
		w.grad[j] = w.grad[j]/w.p.nullWeight + 2*(w.p.Ridge+w.p.Penalty[col])*s.Beta[0][j]
	}
	if k < len(w.grad) {
		w.grad[k] = free / w.p.nullWeight
	}
	return nil
}

func (w *onDevice) search(s *Solution, step []float64, promised float64) (*Solution, []float64, error) {
	k, free := len(w.cols), 0.0
	if k < len(step) {
		free = step[k]
	}
	if err := w.p.Device.SetStep(step[:k], free); err != nil {
		return nil, nil, err
	}
	next := &Solution{Beta: [][]float64{make([]float64, k)}, Intercept: make([]float64, 1)}
	for n, t := 0, 1.0; n < halvings; n, t = n+1, t/2 {
		for j := range k {
			next.Beta[0][j] = s.Beta[0][j] + t*step[j]
		}
		next.Intercept[0] = s.Intercept[0] + t*free
		if err := w.try(next, t); err != nil {
			return nil, nil, err
		}
		if next.Objective <= s.Objective-sufficient*t*promised {
			moved := append([]float64(nil), step...)
			scale(moved, t)
			return next, moved, w.take(next)
		}
	}
	return nil, nil, nil
}

// solveOnDevice is Solve for columns on a device. factor is the Cholesky factor of the Hessian of the null model.
func (p *Problem) solveOnDevice(ctx context.Context, cols []int, from *Solution, factor *triangle) (*Solution, error) {
	w := &onDevice{p: p, cols: cols, grad: make([]float64, len(cols))}
	if p.Intercept {
		w.grad = append(w.grad, 0)
	}
	s := p.start(cols, from)
	if err := w.eval(s); err != nil {
		return nil, err
	}
	memory := quasiNewton{factor: factor, outputs: 1}
	if from != nil {
		curved, err := p.Device.Curvature(differenceOfZ, flattest)
		if err != nil {
			return nil, err
		}
		memory.scale = total(p.null) / curved
	}
	s, err := p.iterate(ctx, s, &memory, w.grad, w.search)
	if err != nil {
		return nil, err
	}
	s.Z = make([]float64, p.rows())
	return s, p.Device.Margins(s.Z)
}
