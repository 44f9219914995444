package baseline

import (
	"cmp"
	"context"

	"fsa/data"
	"fsa/model"
)

// MCP selects with the minimax concave penalty, which is lowered along a path until K
// coefficients are nonzero, and refits a model without penalty on their variables. The penalty
// is constant for large coefficients, so it shrinks them less than L1 does, and fewer other
// variables are needed to compensate. Iterations limits the number of penalties on the path; 0
// means 250.
type MCP struct {
	Options
	// Gamma says where the penalty λ becomes flat: at Gamma·λ for the squared
	// loss. A logistic loss bends a quarter as much, and so does the penalty.
	// It must be more than 1; 0 means 3.
	Gamma float64
}

var _ Fitter = MCP{}

// Fit implements [Fitter].
func (o MCP) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	gamma := cmp.Or(o.Gamma, 3)
	if err := checkGamma(gamma, 1); err != nil {
		return nil, err
	}
	return fitPath(ctx, "mcp", d, o.Options,
		func(t *task, lambda float64) penalty { return minimax{lambda, gamma / t.bend()} },
		func(*task) float64 { return 0 })
}
