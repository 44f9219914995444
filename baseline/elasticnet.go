package baseline

import (
	"cmp"
	"context"
	"fmt"

	"fsa/data"
	"fsa/model"
)

// ElasticNet selects with the penalty λ(Mix·|β| + ½(1−Mix)β²). λ is found by bisection so that
// K coefficients are nonzero. The model is then refitted on their variables with a ridge of
// 0.01 for the squared loss and 0.001 for the logistic loss, as in the paper's experiments.
// Iterations limits the number of penalties on the path; 0 means 250.
type ElasticNet struct {
	Options
	// Mix is the share of the L1 penalty, at most 1; 0 means 0.99.
	Mix float64
}

var _ Fitter = ElasticNet{}

// Fit implements [Fitter].
func (o ElasticNet) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	mix := cmp.Or(o.Mix, 0.99)
	if !(mix > 0 && mix <= 1) {
		return nil, fmt.Errorf("%w: mix = %v: it must be above 0 and at most 1", model.ErrOptions, o.Mix)
	}
	return fitPath(ctx, "elastic-net", d, o.Options,
		func(_ *task, lambda float64) penalty { return elastic{l1: mix * lambda, l2: (1 - mix) * lambda} },
		func(t *task) float64 {
			if t.Loss() == "logistic" {
				return 0.001
			}
			return 0.01
		})
}
