package baseline

import (
	"context"

	"fsa/data"
	"fsa/model"
)

// L1 selects by the lasso, or by the logistic loss with an L1 penalty: the
// penalty is bisected until K coefficients are not zero, and a model without
// it is fitted on their variables. Iterations bounds the penalties of the path
// to there; 0 means 250.
type L1 struct{ Options }

var _ Fitter = L1{}

// Fit implements [Fitter].
func (o L1) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	return fitPath(ctx, "l1", d, o.Options,
		func(_ *task, lambda float64) penalty { return elastic{l1: lambda} },
		func(*task) float64 { return 0 })
}
