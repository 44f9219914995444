package prior

// Variation is the total variation q·Σh(β_k−β_{k−1}) of eq. prior1 of the paper. It favours
// step-like curves: constant except for a few jumps. h is the Huber approximation of the absolute
// value:
//
//	h(t) = t²/(2δ)    if |t| ≤ δ
//	h(t) = |t| − δ/2  else
type Variation struct {
	Q float64
	// Delta is the jump size δ below which h is a parabola. A smaller δ gives sharper jumps but
	// needs smaller steps. Zero means 0.01.
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
		sum += slope * (jump - slope*delta/2) // h(jump), below and above δ
	}
	return p.Q * sum
}

// Curvature implements [Prior]. The Hessian is at most q/δ·DᵀD, and ‖D‖, the norm of the
// first-difference operator, is at most 1+1.
func (p Variation) Curvature() float64 { return 4 * p.Q / p.delta() }
