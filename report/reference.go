package report

import "fmt"

// Reference compares the out-of-fold loss of a model with that of a model of all columns on the same folds.
type Reference struct {
	Name       string  `json:"name"`
	Columns    int     `json:"columns"`
	Loss       string  `json:"loss"`
	Mean       float64 `json:"mean"`
	Own        float64 `json:"own"`
	Difference float64 `json:"difference"`
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Units      int     `json:"units"`
}

// Text says what a model loses against the reference.
func (r *Reference) Text() string {
	what, sign := "no clear difference", ""
	if r.Difference > 0 {
		sign = "+"
	}
	switch {
	case r.Low > 0:
		what = "the model loses " + brief(r.Difference)
	case r.High < 0:
		what = "the model is better by " + brief(-r.Difference)
	}
	half := ""
	if r.Loss == "squared" {
		half = " (half the squared error)"
	}
	return fmt.Sprintf("Against %s on all %s: %s loss%s %s instead of %s, difference %s (95%%: %s to %s): %s.",
		r.model(), plural(r.Columns, "column", "columns"), r.Loss, half, brief(r.Own), brief(r.Mean), sign+brief(r.Difference), brief(r.Low), brief(r.High), what)
}

// model names the model of all columns.
func (r *Reference) model() string {
	if r.Name == "additive" {
		return "an additive model"
	}
	return "a " + r.Name
}
