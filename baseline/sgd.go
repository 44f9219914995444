package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"fsa/data"
	"fsa/internal/portable"
	"fsa/model"
)

// SGD is logistic regression by stochastic gradient descent. It minimises the mean loss plus
// ½·Ridge·‖β‖² by steps of length 1/(Ridge·(t₀+t)) along the gradient of one row (Bottou,
// 2010). t₀ is chosen so that the first step suits a row of typical length.
//
// All variables are used, whatever K is. Iterations is the number of passes over the rows; 0
// means 20.
type SGD struct {
	Options
	// Ridge is the strength of the penalty; 0 means 0.0001.
	Ridge float64
}

var _ Fitter = SGD{}

// Fit implements [Fitter].
func (m SGD) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	if m.Ridge < 0 || math.IsNaN(m.Ridge) || math.IsInf(m.Ridge, 0) {
		return nil, fmt.Errorf("%w: ridge = %v: it must be a finite number and not negative", model.ErrOptions, m.Ridge)
	}
	m.LossName = orLoss(m.LossName, "logistic")
	t, err := newRowTask(ctx, "sgd", d, m.Options, "logistic")
	if err != nil {
		return nil, err
	}
	ridge := cmp.Or(m.Ridge, 1e-4)
	w := newStochastic(t, ridge)
	const curvature = 0.25 // at most, of the loss of a row
	w.time = curvature * (1 + t.meanSquare()) / ridge
	rng := rand.New(rand.NewPCG(m.Seed, 0x56d))
	rounds := cmp.Or(m.Iterations, 20)
	for range rounds {
		if err := w.walk(ctx, rng.Perm(t.rows.Count)); err != nil {
			return nil, err
		}
	}
	return t.linear(rounds, w.intercept, w.beta())
}

// stochastic is a descent that uses one row at a time. Its coefficients are scale·v, so that
// shrinking all of them is one multiplication.
type stochastic struct {
	*rowTask
	ridge     float64
	time      float64 // t₀ and the steps taken
	scale     float64
	v         []float64
	intercept float64
	rate      float64 // learning rate of the intercept, as a share of that of the others
	unit      float64 // of the weights: their mean
}

func newStochastic(t *rowTask, ridge float64) *stochastic {
	w := &stochastic{rowTask: t, ridge: ridge, scale: 1, v: make([]float64, t.rows.Length), rate: 1}
	if index, _ := t.rows.Cells(0); index != nil {
		// The intercept is moved by every row, the coefficient of a rare word
		// by few.
		w.rate = 0.01
	}
	for i := range t.rows.Count {
		w.unit += t.weight(i) / float64(t.rows.Count)
	}
	return w
}

// walk takes a step for each row in the given order.
func (w *stochastic) walk(ctx context.Context, order []int) error {
	for seen, i := range order {
		if seen%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		length := 1 / (w.ridge * w.time)
		w.time++
		y := w.Y[i]
		margin := w.scale*w.rows.Dot(i, w.v) + w.intercept
		step := length * w.weight(i) / w.unit * y / (1 + portable.Exp(y*margin))
		w.scale *= max(0, 1-length*w.ridge)
		if w.scale < 1e-9 {
			w.v, w.scale = w.beta(), 1
		}
		w.rows.Add(w.v, i, step/w.scale)
		w.intercept += w.rate * step
	}
	return nil
}

// beta returns the coefficients.
func (w *stochastic) beta() []float64 {
	beta := make([]float64, len(w.v))
	for j, v := range w.v {
		beta[j] = w.scale * v
	}
	return beta
}
