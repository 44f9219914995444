package model

import (
	"errors"
	"slices"
)

// Test has the metrics of a model, or of the procedure that made it, on held-out rows.
type Test struct {
	// Name is "test", "holdout" or "nested".
	Name string `json:"name"`
	// From is the file with the rows; empty for rows of the table itself.
	From string `json:"from,omitempty"`
	Rows int    `json:"rows"`
	// Sizes are the numbers of variables selected in the folds of a nested cross-validation.
	Sizes   []int              `json:"sizes,omitempty"`
	Metrics map[string]float64 `json:"metrics"`
}

func (t *Test) check() error {
	for _, v := range t.Metrics {
		if !finite(v) {
			return errors.New("a metric of its test is not finite")
		}
	}
	if t.Name == "" || t.Rows < 1 || t.Metrics == nil || len(t.Sizes) > 0 && slices.Min(t.Sizes) < 0 {
		return errors.New("the record of its test is invalid")
	}
	return nil
}
