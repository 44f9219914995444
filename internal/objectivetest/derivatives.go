package objectivetest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"fsa/anneal"
)

// gradient compares the gradient with central differences of the sum.
func gradient(s source) error {
	const step = 3e-3
	obj := s.fresh()
	for _, scale := range []float64{0, 0.3, 2} {
		beta := s.beta(obj, scale)
		for b := range obj.Batches() {
			at, err := eval(obj, b, beta)
			if err != nil {
				return err
			}
			for _, v := range s.directions(obj.Layout()) {
				above, err := eval(obj, b, moved(beta, step, v))
				if err != nil {
					return err
				}
				below, err := eval(obj, b, moved(beta, -step, v))
				if err != nil {
					return err
				}
				got, want := dot(v, at.grad), (above.sum-below.sum)/(2*step)
				// The quotient is the mean of the derivative over the step. If the derivative bends, or
				// has a corner, its error is less than its second difference.
				bend := math.Abs(dot(v, above.grad) - 2*got + dot(v, below.grad))
				noise := 1e-7*math.Abs(at.sum)/step + tolerance*math.Abs(want)
				if !(math.Abs(got-want) <= bend+noise) {
					return fmt.Errorf("batch %d: the derivative along %g is %g, differences of the sum give %g\nbeta %g",
						b, v, got, want, beta)
				}
			}
		}
	}
	return nil
}

// curvature checks the bound on the Hessian of an [anneal.Curved], with all groups alive and with
// some.
func curvature(s source) error {
	obj, ok := s.fresh().(anneal.Curved)
	if !ok {
		return nil
	}
	if err := bounded(s, obj); err != nil {
		return err
	}
	groups := s.groups(obj.Layout().Groups())
	if err := obj.Keep(context.Background(), slices.Clone(groups)); err != nil {
		return err
	}
	if err := bounded(s, obj); err != nil {
		return fmt.Errorf("after Keep(%v): %w", groups, err)
	}
	return nil
}

// bounded checks that the bound is a symmetric matrix, and compares vᵀHv with the difference of
// gradients a step along v apart. The bound holds for steps of any length, so corners need no
// special care. Everything is a mean, because the bound may be computed on a sample of the rows.
func bounded(s source, obj anneal.Curved) error {
	const step = 0.05
	for _, scale := range []float64{0, 0.1, 1} {
		beta := s.beta(obj, scale)
		for b := range obj.Batches() {
			at, err := eval(obj, b, beta)
			if err != nil {
				return err
			}
			if at.weight == 0 {
				continue
			}
			if err := symmetric(s, obj, b); err != nil {
				return err
			}
			for _, v := range s.directions(obj.Layout()) {
				hv, err := bend(obj, b, v)
				if err != nil {
					return err
				}
				above, err := eval(obj, b, moved(beta, step, v))
				if err != nil {
					return err
				}
				below, err := eval(obj, b, moved(beta, -step, v))
				if err != nil {
					return err
				}
				got := (dot(v, above.grad) - dot(v, below.grad)) / (2 * step) / at.weight
				bound := dot(v, hv)
				noise := 1e-3*math.Abs(bound) + tolerance*(anneal.Norm(at.grad)+math.Abs(at.sum))/at.weight
				if !(got <= bound+noise) {
					return fmt.Errorf("batch %d: the mean curvature along %g is %g, which exceeds its bound %g\nbeta %g",
						b, v, got, bound, beta)
				}
			}
		}
	}
	return nil
}

// symmetric checks that ⟨u,Hv⟩ = ⟨v,Hu⟩ and H(u+v) = Hu+Hv.
func symmetric(s source, obj anneal.Curved, batch int) error {
	u, v := s.beta(obj, 1), s.beta(obj, 1)
	hu, err := bend(obj, batch, u)
	if err != nil {
		return err
	}
	hv, err := bend(obj, batch, v)
	if err != nil {
		return err
	}
	both, err := bend(obj, batch, moved(u, 1, v))
	if err != nil {
		return err
	}
	size := anneal.Norm(u)*anneal.Norm(hv) + anneal.Norm(v)*anneal.Norm(hu)
	if a, b := dot(u, hv), dot(v, hu); !(math.Abs(a-b) <= tolerance*size) {
		return fmt.Errorf("batch %d: the bound is not symmetric: ⟨u,Hv⟩ = %g and ⟨v,Hu⟩ = %g", batch, a, b)
	}
	add(both, -1, hu)
	add(both, -1, hv)
	if d := anneal.Norm(both); !(d <= tolerance*(anneal.Norm(hu)+anneal.Norm(hv))) {
		return fmt.Errorf("batch %d: the bound is not linear: ‖H(u+v)−Hu−Hv‖ = %g", batch, d)
	}
	return nil
}

// bend returns Hv for the mean over a batch, and checks that v does not change.
func bend(obj anneal.Curved, batch int, v []float64) ([]float64, error) {
	hv := slices.Repeat([]float64{math.NaN()}, len(v))
	before := slices.Clone(v)
	weight, err := obj.Curvature(context.Background(), batch, hv, v)
	if err != nil {
		return nil, fmt.Errorf("Curvature of batch %d: %w", batch, err)
	}
	if !slices.Equal(v, before) {
		return nil, fmt.Errorf("Curvature of batch %d changed v from %g to %g", batch, before, v)
	}
	for i := range hv {
		hv[i] /= weight
	}
	if !finite(hv...) {
		return nil, fmt.Errorf("batch %d: Hv = %g with a weight of %g must be finite", batch, hv, weight)
	}
	return hv, nil
}
