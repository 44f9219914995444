package subset

import "gonum.org/v1/gonum/mat"

// quasiNewton is the inverse of the Hessian as L-BFGS knows it: that of the null model,
// the same for each output, mended by the last few steps.
type quasiNewton struct {
	factor  *mat.Cholesky
	outputs int
	moves   [][]float64
	changes [][]float64 // of the gradient
}

// direction sets step = −H⁻¹·grad by the two-loop recursion.
func (q *quasiNewton) direction(step, grad []float64) {
	copy(step, grad)
	n := len(q.moves)
	alpha := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		alpha[i] = dot(q.moves[i], step) / dot(q.moves[i], q.changes[i])
		axpy(step, -alpha[i], q.changes[i])
	}
	q.solve(step)
	for i := range n {
		b := dot(q.changes[i], step) / dot(q.moves[i], q.changes[i])
		axpy(step, alpha[i]-b, q.moves[i])
	}
	scale(step, -1)
}

// solve multiplies by the inverse of the Hessian of the null model.
func (q *quasiNewton) solve(v []float64) {
	if q.factor == nil {
		return
	}
	width := len(v) / q.outputs
	for c := range q.outputs {
		part := mat.NewVecDense(width, v[c*width:(c+1)*width])
		// A warning about the condition is expected of collinear columns.
		_ = q.factor.SolveVecTo(part, part)
	}
}

// learn remembers a step and what it did to the gradient.
func (q *quasiNewton) learn(moved, before, after []float64) {
	change := make([]float64, len(after))
	for i := range change {
		change[i] = after[i] - before[i]
	}
	const curved = 1e-12 // of the lengths of both: a loss need not be convex
	if s := dot(moved, change); !(s*s > curved*curved*dot(moved, moved)*dot(change, change)) || s <= 0 {
		return
	}
	if len(q.moves) == solveMemory {
		q.moves, q.changes = q.moves[1:], q.changes[1:]
	}
	q.moves, q.changes = append(q.moves, moved), append(q.changes, change)
}

// forget goes back to the Hessian of the null model. It reports false if nothing else is
// known.
func (q *quasiNewton) forget() bool {
	known := len(q.moves) > 0
	q.moves, q.changes = nil, nil
	return known
}
