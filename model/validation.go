package model

import (
	"errors"
	"maps"
	"slices"
)

// Validation is what cross-validation said before a model was learned: how good it is on
// rows that were not learned from, and by what its size was chosen.
type Validation struct {
	Folds int `json:"folds"`
	// Measure is the name of the loss whose mean on rows that were not learned from was
	// compared.
	Measure string `json:"measure"`
	// Points are the curve of that loss over the number of variables; one point where
	// that was given.
	Points []ValidationPoint `json:"points"`
	// Rule is the rule by which the size was chosen; empty where it was given. Best is
	// the size of the least loss, Chosen the one that was taken.
	Rule   string `json:"rule,omitempty"`
	Best   int    `json:"best"`
	Chosen int    `json:"chosen"`
	// Null is the loss of the null model, which has no variables.
	Null float64 `json:"null"`
	// Ridge is the strength of the ridge that was chosen, and Swapped says that
	// variables were swapped in the end because that is better on other rows.
	Ridge   float64 `json:"ridge"`
	Swapped bool    `json:"swapped,omitempty"`
	// Metrics measures predictions of rows by folds that did not learn from them.
	Metrics map[string]float64 `json:"metrics"`
}

// ValidationPoint is the mean loss at a size and its standard error.
type ValidationPoint struct {
	Size int     `json:"size"`
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
}

// Validation returns what cross-validation said; nil where nobody asked.
func (m *Model) Validation() *Validation {
	if m.spec.Validation == nil {
		return nil
	}
	v := *m.spec.Validation
	v.Points, v.Metrics = slices.Clone(v.Points), maps.Clone(v.Metrics)
	return &v
}

// Signal reports whether the chosen size is better than the null model by more than a
// standard error.
func (v *Validation) Signal() bool {
	for _, p := range v.Points {
		if p.Size == v.Chosen {
			return p.Size > 0 && p.Mean+p.SE < v.Null
		}
	}
	return false
}

func (v *Validation) check() error {
	if v == nil {
		return nil
	}
	for i, p := range v.Points {
		if p.Size < 0 || !finite(p.Mean, p.SE) || i > 0 && p.Size <= v.Points[i-1].Size {
			return errors.New("the curve of its validation makes no sense")
		}
	}
	for _, m := range v.Metrics {
		if !finite(m) {
			return errors.New("a metric of its validation is not finite")
		}
	}
	if v.Folds < 2 || v.Metrics == nil || len(v.Points) == 0 || v.Best < 0 || v.Chosen < 0 || !finite(v.Null, v.Ridge) || v.Ridge < 0 {
		return errors.New("the record of its validation makes no sense")
	}
	return nil
}
