package solve

import (
	"cmp"
	"context"
	"math"
)

const (
	solveSteps     = 300   // maximum number of steps
	solveTolerance = 1e-15 // smallest predicted decrease of a step, as a share of the objective
	longer         = 4     // factor of the next step if the loss was linear along the last one
	solveMemory    = 10    // number of past steps from which L-BFGS approximates the Hessian
)

// iterate takes quasi-Newton steps until the predicted decrease is below the tolerance. grad is the gradient at the
// present solution; search updates it.
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
			if memory.reset() {
				continue
			}
			break
		}
		memory.update(moved, before, grad)
		s = next
	}
	return s, nil
}

// quasiNewton is the L-BFGS approximation of the inverse of the Hessian: the inverse at the null model, the same for
// each output, updated by the last few steps.
type quasiNewton struct {
	factor  *triangle
	outputs int
	moves   [][]float64
	changes [][]float64 // changes of the gradient by these moves
	scale   float64     // factor of the inverse at the null model; 0 means 1
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

// update stores a step and the change of the gradient. It scales the inverse by the ratio of the curvature at the null
// model to the curvature along the step (Nocedal and Wright 2006, 7.20): the loss is flat in rows that are classified
// clearly, and may have no curvature at the null model. Where the gradient has not changed at all, the step was too short
// for the curvature to be seen, and the next one is longer.
func (q *quasiNewton) update(moved, before, after []float64) {
	change := make([]float64, len(after))
	for i := range change {
		change[i] = after[i] - before[i]
	}
	const same = 1e-12 // largest change of the gradient that is rounding error, as a share of it
	if dot(change, change) <= same*same*dot(after, after) {
		q.scale = longer * cmp.Or(q.scale, 1)
		return
	}
	const curved = 1e-12 // smallest cosine of the angle between both; it is negative where the loss is not convex
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

// reset returns to the Hessian of the null model. It reports whether there were steps to forget.
func (q *quasiNewton) reset() bool {
	known := len(q.moves) > 0
	q.moves, q.changes, q.scale = nil, nil, 0
	return known
}
