package baseline

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// What a solution has to reach, as a share of the loss without variables.
const (
	// settled is how much a coefficient may still change the loss from one
	// model to the next. Sweeps cost less and go further, by the factor exact.
	settled = 1e-9
	exact   = 1e-4
	// tilt is by how much a slope may exceed the threshold of the penalty, as
	// a share of the largest slope there is.
	tilt = 1e-7
	// rounding is what a sum over rows may be wrong by.
	rounding = 1e-14
)

// Bounds on the work for one penalty, for problems without a solution: the
// coefficients of separable classes may grow for ever where a penalty is flat.
const (
	maxSweeps = 2000
	maxModels = 200
)

// fewSweeps are enough for a model that bounds the loss: going lower on the
// model goes lower on the loss, but the next model is nearer to it.
const fewSweeps = 20

// descent minimises a mean loss plus a penalty on each coefficient but the
// intercept, by coordinate descent on second-order models of the loss.
//
// The model of the squared loss is the loss itself. That of the logistic loss
// follows the loss where the penalty is convex (proximal Newton steps with
// backtracking). With a concave penalty it is one that lies above the loss
// wherever one goes: on columns of unit variance it bends more than the penalty,
// so that each coefficient has one best value. Its steps are short, and are
// stretched as long as the objective falls.
//
// A model knows only the variables that were not zero or wanted not to be, and
// keeps the products of their columns: a sweep over its coefficients costs the
// same whatever the number of rows. After a model was minimised the slopes of
// all variables are looked at, and those beyond the threshold of the penalty
// enter. Penalties that fall one after the other start where the last ended.
type descent struct {
	*task
	loss *rowLoss
	// null is the loss without variables, steepest the largest slope there.
	null, steepest float64
	settled        float64
	working        []int      // variables of the design that models know
	inside         []bool     // whether a variable is among them
	bound          *quadratic // of the loss, everywhere
	local          *quadratic // to the loss, where it was made; nil before
	stale          bool       // it has become a poor one

	point
	slope []float64 // of each variable of the design at the point
}

// point is where a descent stands.
type point struct {
	value     float64 // the mean loss
	intercept float64
	beta      []float64 // by variable of the design
	margin    []float64 // by row
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

// start returns the point without variables whose intercept is best.
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

// minimise moves to a minimum for the penalty.
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

// follows reports whether models follow the loss instead of bounding it.
func (d *descent) follows(p penalty) bool { return d.Loss() == "logistic" && p.Convex() }

// forget stops working on variables whose coefficients are zero. It pays where
// the products of columns have to be taken anew now and then.
func (d *descent) forget() {
	d.working, d.local = d.working[:0], nil
	for _, v := range d.design.Usable {
		if d.inside[v] = d.beta[v] != 0; d.inside[v] {
			d.working = append(d.working, v)
		}
	}
}

// models returns the second-order model at the point. One that follows the loss
// is kept for as long as it serves: making it costs far more than to be led a
// little astray by it.
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

// descend minimises over the variables that are worked on.
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
		// A bound on the curvature makes steps shorter than they could be.
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

// step moves the margins along dz, while the coefficients beta move along db. The
// length is 1, halved until the objective falls, or doubled as long as it does
// where asked to stretch. It is 0 where no step helps.
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

// sweep minimises the model plus the penalty over beta, one coefficient after
// the other, until a sweep changes little. Slope is that of the model at beta,
// and is kept so.
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
