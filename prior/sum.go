package prior

// Sum is a sum of priors. The empty sum is zero.
type Sum []Prior

var _ Prior = Sum(nil)

// Eval implements [Prior].
func (s Sum) Eval(grad, beta []float64, scale float64) float64 {
	var sum float64
	for _, p := range s {
		sum += p.Eval(grad, beta, scale)
	}
	return sum
}

// Curvature implements [Prior].
func (s Sum) Curvature() float64 {
	var sum float64
	for _, p := range s {
		sum += p.Curvature()
	}
	return sum
}
