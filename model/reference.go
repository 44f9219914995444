package model

import "errors"

// Reference compares the out-of-fold loss of a model with that of a model of all columns, on the same folds. It is the price
// of a small model.
type Reference struct {
	Name    string `json:"name"`    // how the model of all columns was fitted
	Columns int    `json:"columns"` // number of its columns
	// Loss is the name of the loss. Mean is the mean out-of-fold loss of the model of all columns, and Own that of the model
	// itself, over the rows or queries that were paired.
	Loss string  `json:"loss"`
	Mean float64 `json:"mean"`
	Own  float64 `json:"own"`
	// Difference is Own − Mean, and Low and High a 95% confidence interval of it.
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	// Units is the number of independent rows, queries or groups that were compared.
	Units int `json:"units"`
}

func (r *Reference) check() error {
	if r != nil && (r.Name == "" || r.Columns < 1 || r.Units < 2 || !finite(r.Mean, r.Own, r.Difference, r.Low, r.High) || r.Low > r.High) {
		return errors.New("the comparison with a reference is invalid")
	}
	return nil
}
