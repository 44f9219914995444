package real

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Answer has the selection and the predictions of a method.
type Answer struct {
	K          int       `json:"k"`
	Seconds    float64   `json:"seconds"`
	Selected   []int     `json:"selected"`
	Prediction []float64 `json:"prediction"`
	// Error is the reason if there is nothing else, and Limit the seconds after which the method was
	// stopped, if it was.
	Error string  `json:"error,omitempty"`
	Limit float64 `json:"limit_s,omitempty"`
}

// check returns an error for answers that are impossible for the rows of a table.
func (a *Answer) check(test *Table) error {
	want := test.Rows
	if len(test.Classes) > 2 {
		want *= len(test.Classes)
	}
	if len(a.Prediction) != want {
		return fmt.Errorf("%d numbers are predicted for %d rows", len(a.Prediction), test.Rows)
	}
	if slices.ContainsFunc(a.Prediction, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		return errors.New("a prediction is not a number")
	}
	return nil
}
