package losstest

import (
	"fmt"
	"math"

	"fsa/loss"
)

// gradient compares the derivatives of a loss with central differences of its
// sum, at margins of all sizes.
func gradient(l loss.Loss, s source) error {
	for _, scale := range []float64{0.1, 1, 5, 700, 1e6} {
		p := s.draw(scale)
		at := eval(l, p)
		step := 1e-5 * max(1, scale)
		var size float64
		for _, z := range p.z {
			size = max(size, math.Abs(z))
		}
		noise := 1e-14 * (at.sum + size*(1+at.weight)) / step
		for k := range p.z {
			v := make([]float64, len(p.z))
			v[k] = 1
			up, down := p.moved(step, v), p.moved(-step, v)
			above, below := eval(l, up), eval(l, down)
			want := (above.sum - below.sum) / (up.z[k] - down.z[k])
			// The quotient is the mean of the derivative over the step. If the derivative bends, or
			// has a corner, its error is less than its second difference.
			bend := math.Abs(above.r[k] - 2*at.r[k] + below.r[k])
			if !(math.Abs(at.r[k]-want) <= bend+noise) {
				return fmt.Errorf("derivative %d is %g, differences of the sum give %g\nmargins %g\ntarget %+v",
					k, at.r[k], want, p.z, p.t)
			}
		}
	}
	return nil
}

// curvature compares vᵀHv with its bound vᵀDv, where H is the mean Hessian between two points a
// small step along v apart. The bound holds for steps of any length, so corners need no special
// care.
func curvature(l loss.Loss, s source) error {
	const step = 1e-3
	for _, scale := range []float64{0.01, 0.3, 1, 3} {
		if s.Working {
			scale = 0
		}
		p := s.draw(scale)
		n := len(p.t.Y)
		d := eval(l, p).d
		for _, some := range []int{1, 2, len(p.z)} {
			v := make([]float64, len(p.z))
			for range some {
				v[s.IntN(len(v))] = s.NormFloat64()
			}
			above, below := eval(l, p.moved(step, v)), eval(l, p.moved(-step, v))
			var got, bound float64
			for k, x := range v {
				got += x * (above.r[k] - below.r[k]) / (2 * step)
				bound += x * d[k%n] * x
			}
			rounding := 1e-9
			if s.Working { // the Hessian is the mean over a step
				rounding = 10 * step * step
			}
			if !(got <= bound+rounding*(1+bound)) {
				return fmt.Errorf("curvature %g along %g exceeds its bound %g\nmargins %g\ntarget %+v",
					got, v, bound, p.z, p.t)
			}
		}
	}
	return nil
}

// extremes checks that extreme margins, next to common ones, give numbers, and that no loss is
// negative.
func extremes(l loss.Loss, s source) error {
	far := []float64{0, 1, 36, 700, 745, 1e6}
	p := s.draw(1)
	for k := range p.z {
		p.z[k] = far[s.IntN(len(far))] * float64(2*s.IntN(2)-1)
	}
	at := eval(l, p)
	if !(at.sum >= 0 && at.sum <= math.MaxFloat64 && at.weight >= 0 && at.weight <= math.MaxFloat64) {
		return fmt.Errorf("sum %g and weight %g must be finite and not negative\nmargins %g\ntarget %+v",
			at.sum, at.weight, p.z, p.t)
	}
	for k, r := range at.r {
		if !(math.Abs(r) <= math.MaxFloat64) {
			return fmt.Errorf("derivative %d is %g\nmargins %g\ntarget %+v", k, r, p.z, p.t)
		}
	}
	for i, d := range at.d {
		if !(d >= 0 && d <= math.MaxFloat64) {
			return fmt.Errorf("curvature %d is %g\ntarget %+v", i, d, p.t)
		}
	}
	return nil
}
