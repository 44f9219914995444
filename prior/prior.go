// Package prior has the penalties ρ(β_j) that are added to the mean loss.
//
// Each penalty of the paper is a sum of simple penalties. The simple penalties are here, one file
// each, and Sum adds them: eq. prior2 is
//
//	prior.Sum{prior.Ridge{Lambda: λ}, prior.Smooth{C: c}}
//
// You can write your own prior: any type with the two methods of [Prior]. Package priortest checks
// it with one call.
package prior

// Prior is a differentiable penalty on the coefficients of one variable: one number for a linear
// effect, the values at the knots in order for a piecewise-linear one.
type Prior interface {
	// Eval adds scale·∂ρ/∂β to grad and returns ρ(β).
	Eval(grad, beta []float64, scale float64) float64
	// Curvature returns an upper bound on the largest eigenvalue of the Hessian of ρ.
	Curvature() float64
}
