package baseline

import (
	"cmp"
	"context"
	"fmt"

	"fsa/data"
	"fsa/model"
)

// SCAD selects with the smoothly clipped absolute deviation, which is lowered along a path
// until K coefficients are nonzero, and refits a model without penalty on their variables.
// Iterations limits the number of penalties on the path; 0 means 250.
type SCAD struct {
	Options
	// Gamma says where the penalty λ becomes flat: at Gamma·λ for the squared loss. A logistic loss
	// has a quarter of the curvature, and so does the penalty. It must be more than 2; 0 means 3.7,
	// which its authors recommend.
	Gamma float64
}

var _ Fitter = SCAD{}

// Fit implements [Fitter].
func (o SCAD) Fit(ctx context.Context, d *data.Dataset) (*model.Model, error) {
	gamma := cmp.Or(o.Gamma, 3.7)
	if err := checkGamma(gamma, 2); err != nil {
		return nil, err
	}
	return fitPath(ctx, "scad", d, o.Options,
		func(t *task, lambda float64) penalty { return clipped{lambda, 1 + (gamma-1)/t.bend()} },
		func(*task) float64 { return 0 })
}

// bend is the largest second derivative of the loss by a margin. A concave penalty must have less
// curvature, or the sum has spurious minima.
func (t *task) bend() float64 {
	if t.Loss() == "logistic" {
		return 0.25
	}
	return 1
}

// checkGamma returns an error for penalties with more curvature than the loss.
func checkGamma(gamma, least float64) error {
	if gamma > least {
		return nil
	}
	return fmt.Errorf("%w: gamma = %v: it must be above %v", model.ErrOptions, gamma, least)
}
