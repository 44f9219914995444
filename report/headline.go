package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fsa/internal/decimal"
	"fsa/internal/plots"
)

// headline returns the main result in a sentence.
func headline(r *Run) string {
	m := &r.Model
	parts := []string{fmt.Sprintf("%d of %s", len(m.columns()), plural(m.Columns, "variable", "variables"))}
	if n := len(m.Variables); n > len(m.columns()) {
		parts[0] += fmt.Sprintf(" (%d terms: a date has several)", n)
	}
	if n := len(m.Interactions); n > 0 {
		parts[0] += " and " + plural(n, "interaction", "interactions")
	}
	if r.Record != nil && r.Record.Worth != "" {
		parts = append(parts, r.Record.Worth)
	} else if name, v, ok := mainMeasure(r); ok {
		text := MeasureName(name) + " " + precise(v)
		if se := foldError(r, name); se > 1e-4*abs(v) {
			text += " ± " + minus(decimal.Digits(se, 2))
		}
		parts = append(parts, text+" (cross-validated)")
	} else if name, v, ok := pickMeasure(m.Metrics); ok {
		parts = append(parts, MeasureName(name)+" "+precise(v)+" on the training rows")
	}
	often, of, known := 0, "", false
	for _, name := range m.columns() {
		share, in, ok := r.frequency(name)
		if known, of = ok, in; ok && share > sure {
			often++
		}
	}
	if known && len(m.Variables) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d selected in more than 80%% of the %s", often, len(m.columns()), of))
	}
	return strings.Join(parts, "; ") + "."
}

// preferred lists the measures, one of which is named in the headline, in order of preference.
var preferred = []string{"r2", "auc", "ndcg10", "concordance", "error", "rmse", "pinball"}

func pickMeasure(m map[string]float64) (string, float64, bool) {
	for _, name := range preferred {
		if v, ok := m[name]; ok && !math.IsNaN(v) {
			return name, v, true
		}
	}
	return "", 0, false
}

// mainMeasure returns the measure of the out-of-fold predictions that the headline names.
func mainMeasure(r *Run) (string, float64, bool) {
	if r.Curve == nil {
		return "", 0, false
	}
	return pickMeasure(r.Curve.Metrics)
}

// facts returns the facts below the headline.
func facts(r *Run) []Fact {
	m := &r.Model
	list := []Fact{{fmt.Sprint(len(m.columns())), "selected of " + plural(m.Columns, "variable", "variables")}, {fmt.Sprint(m.Rows), "training rows"}}
	if r.Record != nil {
		list = append(list, r.Record.Facts...)
	}
	if r.Curve != nil {
		for _, name := range slices.Sorted(maps.Keys(r.Curve.Metrics)) {
			if slices.Contains(preferred, name) || name == "logloss" {
				list = append(list, Fact{precise(r.Curve.Metrics[name]), MeasureName(name) + ", cross-validated"})
			}
		}
	} else {
		for _, name := range slices.Sorted(maps.Keys(m.Metrics)) {
			list = append(list, Fact{precise(m.Metrics[name]), MeasureName(name) + ", training"})
		}
	}
	switch {
	case r.Stability != nil && r.Stability.Index != nil:
		list = append(list, Fact{precise(*r.Stability.Index), "stability of the selection"})
	case r.Curve != nil && r.Curve.Agreement != nil:
		list = append(list, Fact{precise(*r.Curve.Agreement), "agreement of the folds"})
	}
	// Four or six of them fill their rows on every screen.
	switch n := len(list); {
	case n > 6:
		list = list[:6]
	case n == 5:
		list = list[:4]
	}
	return list
}

// strongest names the most important variables and their directions.
func (r *Run) strongest() string {
	const most = 5
	var parts []string
	for i := range r.Model.Variables[:min(len(r.Model.Variables), most)] {
		v := &r.Model.Variables[i]
		text := plots.Isolate(v.Name)
		switch v.sign() {
		case 1:
			text += " (raises)"
		case -1:
			text += " (lowers)"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		return ""
	}
	what := "the prediction"
	switch m := &r.Model; {
	case m.Task == Classification && m.Outputs == 1 && len(m.Classes) == 2:
		what = "the probability of " + plots.Isolate(m.Classes[1])
		if len(r.Rows.probabilities()) == 0 {
			what = "the score of " + plots.Isolate(m.Classes[1])
		}
	case m.Task == Classification:
		what = "the class"
	case m.Task == Survival:
		what = "the hazard of an event"
	case len(m.Names) > 1 && (m.Loss == "multitarget" || m.Loss == "multilabel"):
		what = "the targets"
	case m.Target != "":
		what = plots.Isolate(m.Target)
	}
	return "Most important for " + what + ": " + strings.Join(parts, ", ") + "."
}

// shortened shortens texts for a sentence or a column heading.
func shortened(texts []string) (short []string) {
	for _, t := range texts {
		short = append(short, plots.Isolate(shorten(t, 20)))
	}
	return short
}

func (r *Run) title() string {
	if r.Record != nil && r.Record.Title != "" {
		return r.Record.Title
	}
	if n := len(r.Model.Names); n > 1 && slices.Contains([]string{"multitarget", "multilabel"}, r.Model.Loss) {
		return "What predicts " + isolated(r.Model.Names[:n-1]) + " and " + plots.Isolate(r.Model.Names[n-1])
	}
	if r.Model.Target != "" {
		return "What predicts " + r.Model.Target
	}
	return "What was selected"
}

// lead describes the model and its data.
func (r *Run) lead() string {
	m := &r.Model
	text := fmt.Sprintf("%s with the %s loss", m.Task, m.Loss)
	if m.Method != "" {
		text += ", method " + m.Method
	}
	text += fmt.Sprintf(", trained on %s and %s", plural(m.Rows, "row", "rows"), plural(m.Columns, "variable", "variables"))
	if len(m.Classes) == 2 {
		text += fmt.Sprintf("; the positive class is %s, the negative one %s", plots.Isolate(m.Classes[1]), plots.Isolate(m.Classes[0]))
	} else if n := len(m.Classes); n > 0 {
		text += fmt.Sprintf("; %d classes: %s", n, strings.Join(shortened(m.Classes[:min(n, 8)]), ", "))
		if n > 8 {
			return strings.ToUpper(text[:1]) + text[1:] + ", …"
		}
	}
	if m.Discoveries != "" {
		text += "; " + m.Discoveries
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}
