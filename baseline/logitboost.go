package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"fsa/data"
	"fsa/internal/portable"
	"fsa/model"
)

// LogitBoost adds learners of one variable each (Friedman, Hastie and Tibshirani, 2000). In
// each round, a learner for every variable is fitted to the working response of a Newton step,
// (y−p)/(p(1−p)) with weights p(1−p), by least squares, and the best one is added. A step that
// would increase the deviance is halved until it does not.
//
// Only sums of residuals and weights are used. Their quotient for a single row, which would
// have to be clipped, is not.
//
// There are K rounds, as the paper counts them. A variable may be chosen again, so there may
// be fewer than K variables. If Iterations is larger than K, only the variables in use compete
// once there are K of them.
type LogitBoost struct {
	Options
	// Share is the part of the variables, drawn at random, that enters a
	// round; 0 means all. The paper's LB1 has a tenth.
	Share float64
	// Bins is the number of bins of equal width on which a learner is
	// constant; 0 means linear learners.
	Bins int
}

var _ Fitter = LogitBoost{}

// Fit implements [Fitter].
func (m LogitBoost) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	if !(m.Share >= 0 && m.Share <= 1) {
		return nil, fmt.Errorf("%w: a share of %v of the variables: it must be between 0 and 1", model.ErrOptions, m.Share)
	}
	if m.Bins != 0 {
		if err := checkBins(m.Bins); err != nil {
			return nil, err
		}
		m.Scale = data.ScaleNone // bins are computed from the original numbers
	}
	t, learner, err := m.prepare(ctx, d)
	if err != nil {
		return nil, err
	}
	b := newLogitBoosting(t)
	field := newEntrants(t, m.Share)
	width := learner.width()
	parts := map[int][]float64{}
	coef, gain := make([]float64, width*len(field.all)), make([]float64, len(field.all))
	f := make([]float64, len(t.Y))
	rounds := 0
	for ; rounds < cmp.Or(m.Iterations, m.K); rounds++ {
		b.derive()
		variables := field.next()
		err := each(ctx, m.Threads, len(variables), func(at int) {
			gain[at] = learner.fit(coef[at*width:(at+1)*width], b, variables[at])
		})
		if err != nil {
			return nil, err
		}
		best := 0
		for at := range variables {
			if gain[at] > gain[best] {
				best = at
			}
		}
		if gain[best] == 0 {
			break // no further improvement
		}
		v, add := variables[best], coef[best*width:(best+1)*width]
		clear(f)
		learner.spread(f, v, add)
		step := b.move(f)
		if step == 0 {
			break
		}
		if parts[v] == nil {
			parts[v] = make([]float64, width)
		}
		for c := range add {
			parts[v][c] += step * add[c]
		}
		field.use(v)
	}
	if m.Bins > 0 {
		return t.steps(rounds, parts, b.z)
	}
	var intercept float64
	var slope []float64
	for _, v := range field.used {
		intercept += parts[v][0]
		slope = append(slope, parts[v][1])
	}
	if slope == nil {
		return nil, t.nothing()
	}
	return t.linear(rounds, intercept, field.used, slope)
}

// prepare returns the task and the kind of learner.
func (m LogitBoost) prepare(ctx context.Context, d *data.Dataset) (*task, logitLearner, error) {
	if m.Bins == 0 {
		t, err := newTask(ctx, m.name(), d, m.Options, "logistic")
		if err != nil {
			return nil, nil, err
		}
		return t, lines{t.columns}, nil
	}
	t, err := newBinTask(ctx, m.name(), d, m.Options, "logistic")
	if err != nil {
		return nil, nil, err
	}
	x, err := newBins(ctx, t, m.Bins)
	return t, stairs{x, m.Bins}, err
}

func (m LogitBoost) name() string {
	name := "logitboost"
	if m.Bins > 0 {
		name += "-steps"
	}
	if m.Share > 0 {
		name += "-random"
	}
	return name
}

// logitBoosting is the state of boosting.
type logitBoosting struct {
	t        *task
	z        []float64 // decision values
	residual []float64 // weight of the row times y−p, where y is 0 or 1
	weight   []float64 // weight of the row times p(1−p)
	sumR     float64   // of the residuals
	sumW     float64   // of the weights
	loss     float64   // half the deviance
}

func newLogitBoosting(t *task) *logitBoosting {
	n := len(t.Y)
	b := &logitBoosting{t: t, z: make([]float64, n), residual: make([]float64, n), weight: make([]float64, n)}
	b.loss = b.lossAt(b.z, 0)
	return b
}

// derive computes residuals and weights.
func (b *logitBoosting) derive() {
	b.sumR, b.sumW = 0, 0
	for i, z := range b.z {
		w, y := b.t.weight(i), b.t.Y[i]
		miss := 1 / (1 + portable.Exp(y*z)) // probability of the other class
		b.residual[i] = w * y * miss
		b.weight[i] = w * miss * (1 - miss)
		b.sumR += b.residual[i]
		b.sumW += b.weight[i]
	}
}

// lossAt returns the logistic loss at z + step·f.
func (b *logitBoosting) lossAt(f []float64, step float64) float64 {
	var sum float64
	for i, z := range b.z {
		x := -b.t.Y[i] * (z + step*f[i])
		sum += b.t.weight(i) * (max(x, 0) + math.Log1p(portable.Exp(-math.Abs(x))))
	}
	return sum
}

// move moves along f and returns the step: 1, or ½, ¼ and so on if that is needed to lower the
// loss, or 0 if no step lowers it.
func (b *logitBoosting) move(f []float64) float64 {
	for step := 1.0; step > 1e-6; step /= 2 {
		loss := b.lossAt(f, step)
		if loss >= b.loss {
			continue
		}
		b.loss = loss
		for i := range b.z {
			b.z[i] += step * f[i]
		}
		return step
	}
	return 0
}

// logitLearner is a kind of learner.
type logitLearner interface {
	// width is the number of coefficients.
	width() int
	// fit sets the coefficients of the learner of variable v. It returns by how much the learner
	// lowers the sum of squares, compared with the best constant.
	fit(coef []float64, b *logitBoosting, v int) (gain float64)
	// spread adds the learner's part in each row to dst.
	spread(dst []float64, v int, coef []float64)
}
