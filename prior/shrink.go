package prior

// Shrink is the shrinkage penalty λ‖β‖² of eq. prior0 of the paper. It treats
// each coefficient alone, so it may be given those of many variables at once.
type Shrink struct {
	Lambda float64
}

var _ Prior = Shrink{}

// Eval implements [Prior].
func (p Shrink) Eval(grad, beta []float64, scale float64) float64 {
	var sum float64
	slope := 2 * p.Lambda * scale
	for k, b := range beta {
		grad[k] += slope * b
		sum += b * b
	}
	return p.Lambda * sum
}

// Curvature implements [Prior].
func (p Shrink) Curvature() float64 { return 2 * p.Lambda }
