package model

import "errors"

// Criterion says how an information criterion has chosen the number of variables, by what
// was learned from all rows. It says nothing of how good the model is on others.
type Criterion struct {
	Rule   string           `json:"rule"`
	Chosen int              `json:"chosen"`
	Points []CriterionPoint `json:"points"`
}

// CriterionPoint is the value of a criterion at a size.
type CriterionPoint struct {
	Size  int     `json:"size"`
	Value float64 `json:"value"`
}

// check refuses what no fit has written.
func (c *Criterion) check() error {
	if c == nil {
		return nil
	}
	if len(c.Points) == 0 {
		return errors.New("its criterion has compared nothing")
	}
	last := -1
	for _, p := range c.Points {
		if p.Size <= last || !finite(p.Value) {
			return errors.New("the points of its criterion are not by ascending size, or are no numbers")
		}
		last = p.Size
	}
	if c.Chosen < 0 || c.Chosen > last {
		return errors.New("the size that its criterion has chosen is none of those it compared")
	}
	return nil
}
