package baseline

import (
	"context"

	"fsa/data"
	"fsa/model"
)

// L1 selects with the lasso, or with L1-penalised logistic regression. The penalty is found by
// bisection so that K coefficients are nonzero, and a model without penalty is refitted on
// their variables. Iterations limits the number of penalties on the path; 0 means 250.
type L1 struct{ Options }

var _ Fitter = L1{}

// Fit implements [Fitter].
func (o L1) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	return fitPath(ctx, "l1", d, o.Options,
		func(_ *task, lambda float64) penalty { return elastic{l1: lambda} },
		func(*task) float64 { return 0 })
}
