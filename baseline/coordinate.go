package baseline

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Accuracy of a solution, as a share of the loss without variables.
const (
	// settled is the largest change of the loss at which successive models count as converged.
	// Sweeps are cheaper and are more accurate by the factor exact.
	settled = 1e-9
	exact   = 1e-4
	// tilt is by how much a slope may exceed the threshold of the penalty, relative to the largest
	// slope.
	tilt = 1e-7
	// rounding is the relative rounding error of a sum over rows.
	rounding = 1e-14
)

// Limits on the work per penalty, for problems without a solution: if the penalty is flat, the
// coefficients of separable classes may grow without bound.
const (
	maxSweeps = 2000
	maxModels = 200
)

// fewSweeps is the number of sweeps for a model that bounds the loss: lowering the model lowers the
// loss, but the next model is more accurate.
const fewSweeps = 20

// descent minimises a mean loss plus a penalty on each coefficient except the intercept, by
// coordinate descent on second-order models of the loss.
//
// The model of the squared loss is the loss itself. If the penalty is convex, that of the logistic
// loss approximates it at the current point (proximal Newton steps with backtracking). With a
// concave penalty, the model is an upper bound of the loss: on columns of unit variance it has more
// curvature than the penalty, so each coefficient has a single best value. Its steps are short, and
// are extended as long as the objective falls.
//
// A model contains only the variables that are or should become nonzero, and stores the products of
// their columns, so the cost of a sweep does not depend on the number of rows. After a model has
// been minimised, the slopes of all variables are computed, and variables with slopes beyond the
// threshold of the penalty enter. Each penalty of a decreasing sequence starts from the solution of
// the previous one.
type descent struct {
	*task
	loss *rowLoss
	// null is the loss without variables, and steepest the largest slope at that point.
	null, steepest float64
	settled        float64
	working        []int      // variables of the design in the models
	inside         []bool     // whether a variable is in the models
	bound          *quadratic // upper bound of the loss
	local          *quadratic // approximation of the loss at the point where it was made; nil before
	stale          bool       // the approximation has become inaccurate

	point
	slope []float64 // slope of each variable of the design at the point
}

// point is the current state of a descent.
type point struct {
	value     float64 // the mean loss
	intercept float64
	beta      []float64 // coefficient of each variable of the design
	margin    []float64 // margin of each row
	pull      []float64 // derivative of the loss by each margin
}

func (p *point) clone() point {
	return point{p.value, p.intercept, slices.Clone(p.beta), slices.Clone(p.margin), slices.Clone(p.pull)}
}

// newDescent starts without variables and with the best intercept.
func newDescent(ctx context.Context, t *task) (*descent, error) {
	d := &descent{task: t, settled: settled, loss: newRowLoss(t), inside: make([]bool, t.columns.Count), slope: make([]float64, t.columns.Count)}
	d.point = t.start(d.loss)
	d.null = d.value
	row := make([]float64, len(t.Y))
	d.loss.bound(row)
	d.bound = newQuadratic(t, row)
	if err := d.look(ctx); err != nil {
		return nil, err
	}
	for _, v := range t.design.Usable {
		d.steepest = max(d.steepest, math.Abs(d.slope[v]))
	}
	return d, nil
}

// start returns the point without variables and with the best intercept.
func (t *task) start(l *rowLoss) point {
	mean := 0.0
	for i, y := range t.Y {
		mean += t.weight(i) / l.total * y
	}
	if t.Loss() == "logistic" {
		mean = math.Log((1 + mean) / (1 - mean))
	}
	p := point{intercept: mean, beta: make([]float64, t.columns.Count), margin: slices.Repeat([]float64{mean}, len(t.Y)), pull: make([]float64, len(t.Y))}
	p.value = l.value(p.pull, p.margin)
	return p
}

// look updates the slopes of all variables.
func (d *descent) look(ctx context.Context) error {
	usable := d.design.Usable
	return each(ctx, d.Threads, len(usable), func(at int) {
		d.slope[usable[at]] = d.columns.Dot(usable[at], d.pull)
	})
}

// minimise moves to a minimum with the penalty.
func (d *descent) minimise(ctx context.Context, p penalty) error {
	if d.follows(p) && len(d.working) > 2*d.size()+16 {
		d.forget()
	}
	for first := true; ; first = false {
		before := len(d.working)
		for _, v := range d.design.Usable {
			if !d.inside[v] && math.Abs(d.slope[v]) > p.Threshold()+tilt*d.steepest {
				d.inside[v] = true
				d.working = append(d.working, v)
			}
		}
		if len(d.working) == before && (before == 0 || !first) {
			return nil
		}
		if err := d.descend(ctx, p); err != nil {
			return err
		}
		if err := d.look(ctx); err != nil {
			return err
		}
	}
}

// follows reports whether models approximate the loss instead of bounding it.
func (d *descent) follows(p penalty) bool { return d.Loss() == "logistic" && p.Convex() }

// forget removes variables with zero coefficients from the models. It is worthwhile if the products
// of columns must be recomputed occasionally.
func (d *descent) forget() {
	d.working, d.local = d.working[:0], nil
	for _, v := range d.design.Usable {
		if d.inside[v] = d.beta[v] != 0; d.inside[v] {
			d.working = append(d.working, v)
		}
	}
}

// models returns the second-order model at the point. An approximation is reused as long as it is
// accurate enough, because making one costs far more than a few inaccurate steps.
func (d *descent) models(ctx context.Context, p penalty) (*quadratic, error) {
	q := d.bound
	if d.follows(p) {
		if d.local == nil || d.stale {
			row := make([]float64, len(d.margin))
			d.loss.curvature(row, d.pull)
			d.local, d.stale = newQuadratic(d.task, row), false
		}
		q = d.local
	}
	return q, q.add(ctx, d.working[len(q.variables):])
}

// descend minimises over the variables in the models.
func (d *descent) descend(ctx context.Context, p penalty) error {
	beta := make([]float64, len(d.working))
	for at, v := range d.working {
		beta[at] = d.beta[v]
	}
	next, slope := make([]float64, len(beta)), make([]float64, len(beta))
	last := math.Inf(1)
	for range maxModels {
		q, err := d.models(ctx, p)
		if err != nil {
			return err
		}
		sum := 0.0
		for _, s := range d.pull {
			sum += s
		}
		if err := q.slopes(ctx, slope, d.pull, sum); err != nil {
			return err
		}
		copy(next, beta)
		bounds := d.Loss() == "logistic" && !d.follows(p)
		sweeps := maxSweeps
		if bounds {
			sweeps = fewSweeps
		}
		sweep(q.gram, slope, next, p, sweeps, exact*d.settled*d.null)
		change, same := 0.0, true
		for at, b := range beta {
			same = same && (b == 0) == (next[at] == 0)
			next[at] -= b
			change = max(change, q.gram[at][at]*next[at]*next[at])
		}
		dz := make([]float64, len(d.margin))
		shift := q.direction(dz, next, sum)
		// A bound on the curvature makes steps shorter than necessary.
		length := d.step(beta, next, dz, p, same && bounds)
		d.intercept += length * shift
		for at, v := range d.working {
			beta[at] += length * next[at]
			d.beta[v] = beta[at]
		}
		d.stale = length < 1 || change > last/10
		last = change
		if length == 0 || change <= d.settled*d.null {
			return nil
		}
	}
	return nil
}

// step moves the margins along dz, and the coefficients beta along db. The length is 1, halved
// until the objective falls or, with stretch, doubled as long as it falls. It is 0 if no step
// lowers the objective.
func (d *descent) step(beta, db, dz []float64, p penalty, stretch bool) (length float64) {
	try := func(length float64) (to point, objective float64) {
		to.margin, to.pull = make([]float64, len(dz)), make([]float64, len(dz))
		for i, z := range d.margin {
			to.margin[i] = z + length*dz[i]
		}
		to.value = d.loss.value(to.pull, to.margin)
		objective = to.value
		for at, b := range beta {
			objective += p.Value(b + length*db[at])
		}
		return to, objective
	}
	before := d.value
	for _, b := range beta {
		before += p.Value(b)
	}
	length = 1
	to, after := try(length)
	for after > before+rounding*d.null {
		if length /= 2; length < 1e-6 {
			return 0
		}
		to, after = try(length)
	}
	for stretch && length < 1e6 {
		further, lower := try(2 * length)
		if lower >= after {
			break
		}
		to, after, length = further, lower, 2*length
	}
	d.value, d.margin, d.pull = to.value, to.margin, to.pull
	return length
}

// sweep minimises the model plus the penalty over beta, one coefficient after the other, until a
// sweep changes little. slope is that of the model at beta, and is updated.
func sweep(gram [][]float64, slope, beta []float64, p penalty, sweeps int, enough float64) {
	for range sweeps {
		change := 0.0
		for j, b := range beta {
			curvature := gram[j][j]
			if curvature <= 0 {
				continue
			}
			step := p.Best(b-slope[j]/curvature, curvature) - b
			if step == 0 {
				continue
			}
			beta[j] += step
			floats.AddScaled(slope, step, gram[j])
			change = max(change, curvature*step*step)
		}
		if change <= enough {
			return
		}
	}
}
