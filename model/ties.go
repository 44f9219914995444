package model

import (
	"fmt"
	"strings"
)

// Tie is a variable of the model and those that could stand in for it. A model lists the variables that fewer than half of the
// folds have selected or, if rivals were measured, all of its variables.
type Tie struct {
	Name string `json:"name"`
	// Share of the folds that selected it.
	Share float64 `json:"share"`
	// Without is what the model loses without the variable; nil if it was not measured.
	Without *Increase `json:"without,omitempty"`
	// Rivals were selected instead, the most frequent first, or lose least in its place.
	Rivals []StableRival `json:"rivals,omitempty"`
	// Others were selected instead, the most frequent first, if there is no rival: they carry other information, or are in the
	// model, too. Empty means that the folds without the variable selected nothing in its place, and nil that it is not known.
	Others []string `json:"others,omitzero"`
}

// Increase is the growth of the error of held-out rows when the variables of a model change.
type Increase struct {
	// Mean is the mean increase over folds, and SE its standard error.
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
	// Equal means that the model is not worse, by the rule of [validate.Simplest].
	Equal bool `json:"equal,omitempty"`
}

// The verdicts on a variable whose rivals were measured.
const (
	Indispensable   = "indispensable"   // the model is worse without it, and with any rival in its place
	Interchangeable = "interchangeable" // the model is worse without it, but not with a rival in its place
	Marginal        = "marginal"        // the model is not worse without it
)

// Verdict returns how much the variable is needed; "" if its rivals were not measured.
func (t *Tie) Verdict() string {
	switch {
	case t.Without == nil:
		return ""
	case t.Without.Equal:
		return Marginal
	case len(t.Equals()) > 0:
		return Interchangeable
	}
	return Indispensable
}

// Equals returns the rivals that can take the place of the variable without a loss, if they were measured.
func (t *Tie) Equals() (names []string) {
	for _, r := range t.Rivals {
		if r.Instead != nil && r.Instead.Equal {
			names = append(names, r.Name)
		}
	}
	return names
}

func (t *Tie) sound() bool {
	ok := t.Share >= 0 && t.Share <= 1 && t.Without.sound()
	for _, r := range t.Rivals {
		ok = ok && r.Share >= 0 && r.Share <= 1 && finite(r.Correlation) && r.Instead.sound()
	}
	return ok
}

func (i *Increase) sound() bool { return i == nil || finite(i.Mean, i.SE) && i.SE >= 0 }

// shownTies is the maximal number of ties in a sentence.
const shownTies = 3

// TieNote returns a sentence that lists the variables of the model that most folds have not
// selected, and their possible replacements. It is empty if there are none, or if rivals were measured.
func (v *Validation) TieNote() string {
	if len(v.Ties) == 0 || v.Ties[0].Without != nil {
		return ""
	}
	var parts []string
	for i := range v.Ties[:min(len(v.Ties), shownTies)] {
		parts = append(parts, v.Ties[i].String())
	}
	if n := len(v.Ties) - shownTies; n > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", n))
	}
	return "selected by fewer than half of the folds: " + strings.Join(parts, ", ")
}

// String returns the name of the variable, the share of the folds that selected it, and its most
// frequent replacement.
func (t *Tie) String() string {
	text := fmt.Sprintf("%s (%.0f%%", t.Name, 100*t.Share)
	if more := t.replacement(); more != "" {
		text += "; " + more
	}
	return text + ")"
}

// replacement says what most folds have selected in place of the variable; "" if it is not known.
func (t *Tie) replacement() string {
	switch {
	case len(t.Rivals) > 0 && t.Rivals[0].Correlation != 0:
		return fmt.Sprintf("%s could stand in for it, correlation %.2f", t.Rivals[0].Name, t.Rivals[0].Correlation)
	case len(t.Rivals) > 0:
		return t.Rivals[0].Name + " could stand in for it"
	case len(t.Others) > 0:
		return "other folds have " + t.Others[0] + " instead"
	case t.Others != nil:
		return "other folds have nothing instead"
	}
	return ""
}
