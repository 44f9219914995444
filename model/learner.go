package model

import (
	"context"

	"fsa/data"
)

// Learner is a method that selects variables of a dataset and learns a model on them:
// annealing, and whatever it is compared with.
type Learner interface {
	Fit(ctx context.Context, d *data.Dataset) (*Model, error)
}
