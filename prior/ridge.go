package prior

// Ridge is the ridge penalty (L2, weight decay) λ‖β‖² of eq. prior0 of the paper. It is a sum over
// coefficients, so it can be applied to many variables at once.
type Ridge struct {
	Lambda float64
}

var _ Prior = Ridge{}

// Eval implements [Prior].
func (p Ridge) Eval(grad, beta []float64, scale float64) float64 {
	var sum float64
	slope := 2 * p.Lambda * scale
	for k, b := range beta {
		grad[k] += slope * b
		sum += b * b
	}
	return p.Lambda * sum
}

// Curvature implements [Prior].
func (p Ridge) Curvature() float64 { return 2 * p.Lambda }
