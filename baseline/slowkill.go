package baseline

import (
	"cmp"
	"context"
	"math"

	"fsa/data"
	"fsa/model"
)

// SlowKill is slow kill (She, Shen and Barbu, IEEE Transactions on Information Theory 2023): gradient
// steps after which the q largest coefficients are kept and shrunk, where q falls slowly from all
// variables to K. A variable that was dropped does not return, so that the problem shrinks.
//
// The length of a step is the inverse of the curvature ρ that a line search finds along it. It grows
// while variables are dropped, because fewer variables have less curvature together. As long as there
// are more variables than half of the rows, the loss may be flat in some directions, and the coefficients
// are divided by 1 + √(K/q), which is the step of a ridge of ρ√(K/q). After that they are not shrunk.
// Further steps on the selected variables bring the model close to its minimum, as in [QTP].
//
// Iterations is the number of steps while variables are dropped; 0 means 500.
type SlowKill struct{ Options }

// The schedule falls as the inverse of the number of steps, faster the larger its speed is.
const (
	killSteps  = 500
	killSpeed  = 100
	killRefits = 500 // steps on the selected variables
)

var _ Fitter = SlowKill{}

// Fit implements [Fitter].
func (m SlowKill) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	t, err := newTask(ctx, "slow-kill", d, m.Options, "squared", "logistic")
	if err != nil {
		return nil, err
	}
	w := newWalk(t, t.design.Usable)
	length, err := w.safe(ctx)
	if err != nil {
		return nil, err
	}
	steps, all, curvature := cmp.Or(m.Iterations, killSteps), len(w.variables), 1/length
	for step := 1; step <= steps; step++ {
		q := quantile(step, steps, all, m.K)
		shrink := 1.0
		if q > len(t.Y)/2 {
			shrink += math.Sqrt(float64(m.K) / float64(q))
		}
		if curvature, err = w.kill(ctx, q, shrink, curvature); err != nil {
			return nil, err
		}
	}
	if err := w.settle(ctx, killRefits); err != nil {
		return nil, err
	}
	return t.linear(steps+killRefits, w.intercept, w.variables, w.beta)
}

// quantile returns how many of all variables stay after a step. It reaches k after half of the steps.
func quantile(step, steps, all, k int) int {
	e, of := float64(step), float64(steps)
	share := max(0, (of-2*e)/(2*e*killSpeed+of))
	return min(k, all) + int(share*float64(max(all-k, 0)))
}

// kill takes a step after which the q largest coefficients stay, divided by shrink, and drops the
// other variables. The step is the inverse of a curvature, first half of what it was in the last step
// and then twice as much until the loss stays below the quadratic bound that it stands for.
func (w *walk) kill(ctx context.Context, q int, shrink, curvature float64) (float64, error) {
	slope, sum, err := w.slopes(ctx)
	if err != nil {
		return 0, err
	}
	variables, beta, intercept, value := w.variables, w.beta, w.intercept, w.value
	next := make([]float64, len(beta))
	for curvature /= 2; ctx.Err() == nil; curvature *= 2 {
		for at, b := range beta {
			next[at] = (b - slope[at]/curvature) / shrink
		}
		w.variables, w.beta, w.intercept = variables, next, intercept-sum/curvature
		w.keep(largest(next, q))
		move := w.intercept - intercept
		bound := value + sum*move + curvature/2*move*move
		kept := 0
		for at, b := range beta {
			to := 0.0
			if kept < len(w.variables) && w.variables[kept] == variables[at] {
				to, kept = w.beta[kept], kept+1
			}
			bound += slope[at]*(to-b) + curvature/2*(to-b)*(to-b)
		}
		if w.value <= bound+rounding*math.Abs(value) {
			break
		}
	}
	return curvature, ctx.Err()
}
