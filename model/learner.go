package model

import (
	"context"

	"fsa/data"
)

// Learner is a method that selects variables of a dataset and fits a model on them: annealing, or a
// method it is compared with.
type Learner interface {
	Fit(ctx context.Context, d *data.Dataset) (*Model, error)
}
