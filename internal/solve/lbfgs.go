package solve

import (
	"context"
	"math"
)

const (
	solveSteps     = 300   // at most
	solveTolerance = 1e-15 // share of the objective that a step has to promise, at least
	solveMemory    = 10    // steps that the quasi-Newton method remembers
)

// iterate takes steps while they promise something. Grad is the gradient of the solution,
// which search brings to that of the next one.
func (p *Problem) iterate(ctx context.Context, s *Solution, memory *quasiNewton, grad []float64, search func(s *Solution, step []float64, promised float64) (next *Solution, moved []float64, err error)) (*Solution, error) {
	step := make([]float64, len(grad))
	for range solveSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		memory.direction(step, grad)
		promised := -dot(grad, step)
		if !(promised > max(p.Tolerance, solveTolerance*math.Abs(s.Objective))) {
			break
		}
		before := append([]float64(nil), grad...)
		next, moved, err := search(s, step, promised)
		if err != nil {
			return nil, err
		}
		if next == nil {
			if memory.forget() {
				continue
			}
			break
		}
		memory.learn(moved, before, grad)
		s = next
	}
	return s, nil
}

// quasiNewton is the inverse of the Hessian as L-BFGS knows it: that of the null model,
// the same for each output, mended by the last few steps.
type quasiNewton struct {
	factor  *triangle
	outputs int
	moves   [][]float64
	changes [][]float64 // of the gradient
	scale   float64     // of the inverse, after the last step; 0 before the first
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
	if q.scale > 0 {
		scale(step, q.scale)
	}
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
		q.factor.solve(v[c*width : (c+1)*width])
	}
}

// learn remembers a step and what it did to the gradient. How much flatter or steeper the
// loss is here than at the null model scales the inverse, as in Nocedal and Wright (2006,
// 7.20): rows that are told apart are flat, and a loss need not be curved at the null model.
func (q *quasiNewton) learn(moved, before, after []float64) {
	change := make([]float64, len(after))
	for i := range change {
		change[i] = after[i] - before[i]
	}
	const curved = 1e-12 // of the lengths of both: a loss need not be convex
	if s := dot(moved, change); !(s*s > curved*curved*dot(moved, moved)*dot(change, change)) || s <= 0 {
		return
	}
	solved := append([]float64(nil), change...)
	q.solve(solved)
	q.scale = dot(moved, change) / dot(change, solved)
	if len(q.moves) == solveMemory {
		q.moves, q.changes = q.moves[1:], q.changes[1:]
	}
	q.moves, q.changes = append(q.moves, moved), append(q.changes, change)
}

// forget goes back to the Hessian of the null model. It reports false if nothing else is
// known.
func (q *quasiNewton) forget() bool {
	known := len(q.moves) > 0
	q.moves, q.changes, q.scale = nil, nil, 0
	return known
}
