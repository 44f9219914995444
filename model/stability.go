package model

import (
	"errors"
)

// Stability describes how stable a selection is. It is measured by repeating the selection on half
// samples of the rows.
type Stability struct {
	// Halves is the number of half samples, two complementary ones in each pair.
	Halves int `json:"half_samples"`
	// Index is 1 if all half samples select the same variables and 0 as by chance (Nogueira et al.
	// 2018). Low and High are its 95% confidence interval. All are nil if the index is not
	// defined.
	Index *float64 `json:"index,omitempty"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	// Cutoff is the smallest share of half samples for which the error is bounded: among the
	// variables selected in at least that share, the expected number of false selections is at
	// most Bound (Shah and Samworth 2013, assuming r-concavity). Both are nil if there is no such
	// share.
	Cutoff *float64 `json:"cutoff,omitempty"`
	Bound  *float64 `json:"bound,omitempty"`
	// Shares has the inclusion frequency of each variable that was selected at least once, by name.
	Shares map[string]float64 `json:"inclusion"`
	// Confidence is the confidence level of the intervals of the variables if they account for the selection; 0 means that
	// they are intervals of 95% that do not.
	Confidence float64 `json:"confidence,omitempty"`
	// Variables has the details of the variables of the model.
	Variables []StableVariable `json:"variables"`
}

// StableVariable is the stability of one variable of a model.
type StableVariable struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	// Low and High are a confidence interval of each coefficient: for a curve, of the value at each knot; for a category,
	// of each category's value. They are nil if no model could be fitted on half samples or, if they account for the
	// selection, if no half sample selected the variable.
	Low  []float64 `json:"low,omitempty"`
	High []float64 `json:"high,omitempty"`
	// Estimate is each coefficient without a ridge, corrected for the selection, if the intervals account for it.
	Estimate []float64 `json:"estimate,omitempty"`
	// Rivals are the variables that are selected instead.
	Rivals []StableRival `json:"rivals,omitempty"`
}

// StableRival is a variable that is selected instead of another.
type StableRival struct {
	Name string `json:"name"`
	// Share is how often this variable was selected among the half samples, or folds, that did not
	// select the other variable.
	Share float64 `json:"share"`
	// Correlation with the other variable; 0 unless both are numbers.
	Correlation float64 `json:"correlation,omitempty"`
	// Instead is what the model loses with this variable in the place of the other one; nil if it was not measured.
	Instead *Increase `json:"instead,omitempty"`
}

func (s *Stability) check() error {
	if s == nil {
		return nil
	}
	bad := s.Halves < 2 || s.Shares == nil || !(s.Confidence >= 0 && s.Confidence < 1)
	for _, v := range []*float64{s.Index, s.Low, s.High, s.Cutoff, s.Bound} {
		bad = bad || v != nil && !finite(*v)
	}
	for _, v := range s.Shares {
		bad = bad || !(v >= 0 && v <= 1)
	}
	for _, v := range s.Variables {
		bad = bad || !(v.Share >= 0 && v.Share <= 1) || !finite(v.Low...) || !finite(v.High...) || len(v.Low) != len(v.High) || !finite(v.Estimate...) || v.Estimate != nil && len(v.Estimate) != len(v.Low)
		for _, r := range v.Rivals {
			bad = bad || !finite(r.Share, r.Correlation)
		}
	}
	if bad {
		return errors.New("the record of its stability is invalid")
	}
	return nil
}
