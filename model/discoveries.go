package model

import (
	"errors"
	"fmt"
	"math"
)

// Discoveries describes how variables were selected at a false discovery rate. Half samples selected candidates, and the
// other halves of the rows confirmed some of them.
type Discoveries struct {
	// Rate is the false discovery rate: the largest expected share of irrelevant variables among the selected ones.
	Rate float64 `json:"rate"`
	// HalfSamples is the number of half samples; 0 if there are too few rows for any discovery.
	HalfSamples int `json:"half_samples"`
	// Candidates is the number of variables, or groups, that each half sample selected, and Least the smallest number of
	// which any can be confirmed.
	Candidates int `json:"candidates"`
	Least      int `json:"least_candidates"`
	// Relevant estimates how many of the candidates are relevant. It bounds what could have been discovered.
	Relevant float64 `json:"relevant"`
	// Confirmed has the share of the half samples in which each variable was confirmed, by its name. A group has the name
	// of its first variable.
	Confirmed map[string]float64 `json:"confirmed"`
}

// Note says what was controlled, and at which power. Found is the number of variables, or groups, that were selected.
func (d *Discoveries) Note(found int) string {
	rate := fmt.Sprintf("%.3g", d.Rate)
	switch {
	case d.HalfSamples == 0:
		return fmt.Sprintf("nothing is selected: a false discovery rate of %s needs at least %d candidates in each half of the rows, and there are rows for %d; give more rows, or a higher rate", rate, d.Least, d.Candidates)
	case found == 0:
		return fmt.Sprintf("nothing is selected: no variable can be told from noise at a false discovery rate of %s, which takes at least %d relevant ones; more rows or a higher rate may help", rate, d.Least)
	}
	text := fmt.Sprintf("false discovery rate %s: at most %.1f of the %d selected variables are expected to be irrelevant", rate, d.Rate*float64(found), found)
	if d.Relevant > float64(found)+math.Sqrt(float64(d.Candidates)) { // more than the noise of the estimate
		text += fmt.Sprintf("; about %.0f of %d candidates seem relevant, so others were missed", d.Relevant, d.Candidates)
	}
	return text
}

func (d *Discoveries) check() error {
	if d == nil {
		return nil
	}
	bad := !(d.Rate > 0 && d.Rate < 1) || d.HalfSamples < 0 || d.Candidates < 0 || d.Least < 0 || !(d.Relevant >= 0) || !finite(d.Relevant) || d.Confirmed == nil
	for _, share := range d.Confirmed {
		bad = bad || !(share >= 0 && share <= 1)
	}
	if bad {
		return errors.New("the record of its discoveries is invalid")
	}
	return nil
}
