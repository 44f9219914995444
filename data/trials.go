package data

import "fmt"

// divide makes proportions of successes, with a weight for each trial: then a row of several trials is the same as as
// many rows of one trial.
func (t *Target) divide(file string) error {
	if t.Trials == nil || len(t.Trials) != len(t.Y) {
		return nil
	}
	if t.Categories != nil {
		return &Error{File: file, Column: t.Name, Msg: fmt.Sprintf("the target is text (%q, …), but with trials it must be the number of successes", t.Categories[0])}
	}
	y, w := make([]float64, len(t.Y)), make([]float64, len(t.Y))
	for i, n := range t.Trials {
		if !(t.Y[i] >= 0 && t.Y[i] <= n) {
			return &Error{File: file, Column: t.Name, Row: i + 1, Msg: fmt.Sprintf("%v successes of %v trials: successes must lie between 0 and the number of trials; correct the cell, or leave the row out", t.Y[i], n)}
		}
		if y[i], w[i] = t.Y[i]/n, n; t.Weight != nil {
			w[i] *= t.Weight[i]
		}
	}
	t.Y, t.Weight = y, w
	return nil
}
