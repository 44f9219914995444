package model

import (
	"errors"
)

// Stability says how sure a selection is: what was selected, and learned, on half samples
// of the rows.
type Stability struct {
	// Halves is the number of half samples, two complementary ones in each pair.
	Halves int `json:"halves"`
	// Index is 1 where all have selected the same and 0 for chance (Nogueira et al.
	// 2018), and lies between Low and High with a confidence of 95%. It is nil where it says nothing.
	Index *float64 `json:"index,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	// Cutoff is the least share of the half samples such that the variables selected on
	// that many are expected to hold at most Bound false ones (Shah and Samworth 2013, with
	// their assumption of r-concavity); nil where no share is enough.
	Cutoff *float64 `json:"cutoff,omitempty"`
	Bound  *float64 `json:"bound,omitempty"`
	// Shares is the share of half samples on which a variable was selected, by name, of
	// those that ever were.
	Shares map[string]float64 `json:"shares"`
	// Variables says more of those of the model.
	Variables []StableVariable `json:"variables"`
}

// StableVariable is how sure a variable of a model is.
type StableVariable struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	// Low and High are an interval for each coefficient, with a confidence of 95% given that
	// the variables of the model are the right ones; nil for curves and categories.
	Low  []float64 `json:"low,omitempty"`
	High []float64 `json:"high,omitempty"`
	// Rivals are selected in its place where it is not.
	Rivals []StableRival `json:"rivals,omitempty"`
}

// StableRival is a variable that takes the place of another.
type StableRival struct {
	Name string `json:"name"`
	// Share is that of the half samples without the other one on which it was selected.
	Share       float64 `json:"share"`
	Correlation float64 `json:"correlation"`
}

func (s *Stability) check() error {
	if s == nil {
		return nil
	}
	bad := s.Halves < 2 || s.Shares == nil
	for _, v := range []*float64{s.Index, s.Low, s.High, s.Cutoff, s.Bound} {
		bad = bad || v != nil && !finite(*v)
	}
	for _, v := range s.Shares {
		bad = bad || !(v >= 0 && v <= 1)
	}
	for _, v := range s.Variables {
		bad = bad || !(v.Share >= 0 && v.Share <= 1) || !finite(v.Low...) || !finite(v.High...) || len(v.Low) != len(v.High)
		for _, r := range v.Rivals {
			bad = bad || !finite(r.Share, r.Correlation)
		}
	}
	if bad {
		return errors.New("the record of its stability makes no sense")
	}
	return nil
}
