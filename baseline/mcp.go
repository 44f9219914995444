package baseline

import (
	"cmp"
	"context"

	"fsa/data"
	"fsa/model"
)

// MCP selects with the minimax concave penalty, lowered along a path until K
// coefficients are not zero, and refits a model without it on their variables.
// Being flat for large coefficients, it takes less from them than L1 does, so
// fewer others are needed to make up for it. Iterations bounds the penalties of
// the path; 0 means 250.
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
