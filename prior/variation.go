package prior

// Variation is the total variation q·Σh(β_k−β_{k−1}) of eq. prior1 of the
// paper. It favours responses that are level but for a few jumps. h is the
// Huber approximation of the absolute value:
//
//	h(t) = t²/(2δ)    if |t| ≤ δ
//	h(t) = |t| − δ/2  beyond
type Variation struct {
	Q float64
	// Delta is the size δ of the jumps below which h is a parabola. The
	// smaller it is the sharper are the jumps and the shorter the steps of
	// the learner. Zero means 0.01.
	Delta float64
}

var _ Prior = Variation{}

func (p Variation) delta() float64 {
	if p.Delta == 0 {
		return 0.01
	}
	return p.Delta
}

// Eval implements [Prior].
func (p Variation) Eval(grad, beta []float64, scale float64) float64 {
	var sum float64
	delta := p.delta()
	for k := 1; k < len(beta); k++ {
		jump := beta[k] - beta[k-1]
		slope := max(-1, min(1, jump/delta)) // h'(jump)
		g := p.Q * scale * slope
		grad[k-1] -= g
		grad[k] += g
		sum += slope * (jump - slope*delta/2) // h(jump), on either side of δ
	}
	return p.Q * sum
}

// Curvature implements [Prior]. The Hessian is at most q/δ·DᵀD, and ‖D‖, the
// largest factor by which differences grow, is below 1+1.
func (p Variation) Curvature() float64 { return 4 * p.Q / p.delta() }
