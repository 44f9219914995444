package model

import (
	"fmt"
	"strings"
)

// Tie is a variable of the model that fewer than half of the folds have selected: another sample of
// rows might select other variables instead.
type Tie struct {
	Name string `json:"name"`
	// Share of the folds that selected it.
	Share float64 `json:"share"`
	// Rivals were selected instead, the most frequent first.
	Rivals []StableRival `json:"rivals,omitempty"`
}

func (t *Tie) sound() bool {
	ok := t.Share >= 0 && t.Share <= 1
	for _, r := range t.Rivals {
		ok = ok && r.Share >= 0 && r.Share <= 1 && finite(r.Correlation)
	}
	return ok
}

// shownTies is the maximal number of ties in a sentence.
const shownTies = 3

// TieNote returns a sentence that lists the variables of the model that most folds have not
// selected, and their possible replacements. It is empty if there are none.
func (v *Validation) TieNote() string {
	if len(v.Ties) == 0 {
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
	if len(t.Rivals) == 0 {
		return fmt.Sprintf("%s (%.0f%%)", t.Name, 100*t.Share)
	}
	r := t.Rivals[0]
	text := fmt.Sprintf("%s (%.0f%%; %s could stand in for it", t.Name, 100*t.Share, r.Name)
	if r.Correlation != 0 {
		text += fmt.Sprintf(", correlation %.2f", r.Correlation)
	}
	return text + ")"
}
