package model

import "errors"

// Criterion records how an information criterion chose the number of variables. It is computed
// on the training rows and does not estimate the error on new rows.
type Criterion struct {
	Rule   string           `json:"rule"`
	Chosen int              `json:"chosen"`
	Points []CriterionPoint `json:"points"`
}

// CriterionPoint is the value of a criterion at one size.
type CriterionPoint struct {
	Size  int     `json:"size"`
	Value float64 `json:"value"`
}

// check returns an error if the criterion cannot come from a fit.
func (c *Criterion) check() error {
	if c == nil {
		return nil
	}
	if len(c.Points) == 0 {
		return errors.New("its criterion compared no sizes")
	}
	last := -1
	for _, p := range c.Points {
		if p.Size <= last || !finite(p.Value) {
			return errors.New("the points of its criterion are not in ascending order of size, or not finite")
		}
		last = p.Size
	}
	if c.Chosen < 0 || c.Chosen > last {
		return errors.New("the size chosen by its criterion is not one of those compared")
	}
	return nil
}
