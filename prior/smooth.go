package prior

// Smooth is the second-order penalty c·Σ(β_{k+1}+β_{k−1}−2β_k)² of eq. prior2 of the paper. It
// favours curves whose slope changes little from knot to knot. Straight lines have no penalty, and
// neither do fewer than three coefficients.
type Smooth struct {
	C float64
}

var _ Prior = Smooth{}

// Eval implements [Prior].
func (p Smooth) Eval(grad, beta []float64, scale float64) float64 {
	var sum float64
	slope := 2 * p.C * scale
	for k := 1; k < len(beta)-1; k++ {
		bend := beta[k+1] + beta[k-1] - 2*beta[k]
		g := slope * bend
		grad[k-1] += g
		grad[k] -= 2 * g
		grad[k+1] += g
		sum += bend * bend
	}
	return p.C * sum
}

// Curvature implements [Prior]. The Hessian is 2c·DᵀD, and ‖D‖, the norm of the second-difference
// operator, is at most 1+2+1.
func (p Smooth) Curvature() float64 { return 32 * p.C }
