package baseline

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"fsa/data"
	"fsa/model"
)

// CW is confidence-weighted learning (Dredze, Crammer and Pereira, 2008). Every coefficient
// has a mean and a variance. A row that is not classified correctly with enough confidence
// changes them as little as necessary. Coefficients with a large variance change most; those
// of frequent variables hardly change. This suits text data, in which most words are rare.
//
// Variances are kept, covariances are not. The margin of a row is compared with its variance,
// as in that paper. Comparing it with the standard deviation, as the authors proposed a year
// later, makes variances collapse in dense tables with wrong labels. At the start, the margin
// of a typical row has variance 1.
//
// All variables are used, whatever K is. Iterations is the number of passes over the rows; 0
// means 10.
type CW struct {
	Options
	// Confidence is a probability between ½ and 1; 0 means 0.9. The normal
	// quantile there is how many variances a margin has to have.
	Confidence float64
}

var _ Fitter = CW{}

// Fit implements [Fitter].
func (m CW) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	confidence := cmp.Or(m.Confidence, 0.9)
	if !(confidence > 0.5 && confidence < 1) {
		return nil, fmt.Errorf("%w: a confidence of %v: it must lie between ½ and 1", model.ErrOptions, confidence)
	}
	m.LossName = orLoss(m.LossName, "svm")
	t, err := newRowTask(ctx, "cw", d, m.Options, "svm")
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(t.Weight, func(w float64) bool { return w != 1 }) {
		return nil, fmt.Errorf("%w: cw does not support row weights: leave them out", model.ErrOptions)
	}
	phi := math.Sqrt2 * math.Erfinv(2*confidence-1) // quantile of the normal distribution
	first := 1 / (1 + t.meanSquare())
	mean, variance := make([]float64, t.rows.Length), slices.Repeat([]float64{first}, t.rows.Length)
	intercept, free := 0.0, first // the coefficient of a column of ones, and its variance
	rng := rand.New(rand.NewPCG(m.Seed, 0xc3))
	rounds := cmp.Or(m.Iterations, 10)
	for range rounds {
		for seen, i := range rng.Perm(t.rows.Count) {
			if seen%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			index, value := t.rows.Cells(i)
			margin, spread := intercept, free
			for p, x := range value {
				j := column(index, p)
				margin += mean[j] * x
				spread += variance[j] * x * x
			}
			step, certainty := confident(t.Y[i]*margin, spread, phi)
			if step == 0 {
				continue
			}
			step *= t.Y[i]
			for p, x := range value {
				j := column(index, p)
				mean[j] += step * variance[j] * x
				variance[j] /= 1 + certainty*variance[j]*x*x
			}
			intercept += step * free
			free /= 1 + certainty*free
		}
	}
	return t.linear(rounds, intercept, mean)
}

// confident returns how a row with the given margin changes the means, per unit of variance, and
// how much precision it adds, so that afterwards the margin is phi times its variance. Both are
// zero if the margin is already larger.
func confident(margin, variance, phi float64) (step, certainty float64) {
	lack := phi*variance - margin
	if !(lack > 0) || variance == 0 {
		return 0, 0
	}
	// The positive root of 2φv·step² + (1+2φm)·step − lack/v, in the form without a difference of
	// similar numbers.
	b := 1 + 2*phi*margin
	root := math.Sqrt(b*b + 8*phi*lack)
	if b > 0 {
		step = 2 * lack / (variance * (root + b))
	} else {
		step = (root - b) / (4 * phi * variance)
	}
	return step, 2 * phi * step
}
