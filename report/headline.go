package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"fsa/eval"
)

// headline says in a sentence what came out.
func headline(r *Run) string {
	m := &r.Model
	parts := []string{fmt.Sprintf("%d of %s", len(m.columns()), plural(m.Columns, "variable", "variables"))}
	if r.Record != nil && r.Record.Worth != "" {
		parts = append(parts, r.Record.Worth)
	} else if name, v, ok := mainMeasure(r); ok {
		text := measureName(name) + " " + precise(v)
		if se := foldError(r, name); se > 0 {
			text += fmt.Sprintf(" ± %.2g", se)
		}
		parts = append(parts, text+" on rows not learned from")
	} else if name, v, ok := pickMeasure(m.Metrics); ok {
		parts = append(parts, measureName(name)+" "+precise(v)+" on the rows that it was learned from")
	}
	often, of, known := 0, "", false
	for _, name := range m.columns() {
		share, in, ok := r.frequency(name)
		if known, of = ok, in; ok && share > sure {
			often++
		}
	}
	if known && len(m.Variables) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d chosen in more than 80%% of the %s", often, len(m.columns()), of))
	}
	return strings.Join(parts, "; ") + "."
}

// precise writes a measure; one that is nearly 1 must not look like 1.
func precise(v float64) string {
	text := fmt.Sprintf("%.3f", v)
	if v < 1 && text == "1.000" || abs(v) >= 100 || abs(v) < 0.01 && v != 0 {
		text = fmt.Sprintf("%.4g", v)
	}
	return strings.ReplaceAll(text, "-", "−")
}

// preferred are the measures that a sentence has room for one of.
var preferred = []string{"r2", "auc", "ndcg10", "error", "rmse"}

func pickMeasure(m map[string]float64) (string, float64, bool) {
	for _, name := range preferred {
		if v, ok := m[name]; ok && !math.IsNaN(v) {
			return name, v, true
		}
	}
	return "", 0, false
}

// mainMeasure is that of predictions of rows that were not learned from.
func mainMeasure(r *Run) (string, float64, bool) {
	if r.Curve == nil {
		return "", 0, false
	}
	return pickMeasure(r.Curve.Metrics)
}

// foldError returns the standard error of a measure by that of each fold; 0 if it is not known.
func foldError(r *Run, name string) float64 {
	if r.Rows == nil {
		return 0
	}
	y, z := r.Rows.numbers(), r.Rows.Number
	if name == "auc" && len(r.Model.Classes) == 2 {
		z, _ = r.Rows.score()
		y = r.Rows.positive(r.Model.Classes[1])
	}
	measure := map[string]func(p, y, w []float64) float64{"r2": eval.R2, "auc": eval.AUC, "rmse": eval.RMSE}[name]
	if measure == nil || y == nil || len(z) != len(y) {
		return 0
	}
	var values []float64
	for _, rows := range r.Rows.folds() {
		var a, b []float64
		for _, i := range rows {
			a, b = append(a, z[i]), append(b, y[i])
		}
		if v := measure(a, b, nil); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	n := float64(len(values))
	if n < 2 {
		return 0
	}
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / (n - 1) / n)
}

// facts returns those that stand below the headline.
func facts(r *Run) []Fact {
	m := &r.Model
	list := []Fact{{fmt.Sprint(len(m.columns())), "chosen of " + plural(m.Columns, "variable", "variables")}, {fmt.Sprint(m.Rows), "rows learned from"}}
	if r.Record != nil {
		list = append(list, r.Record.Facts...)
	}
	if r.Curve != nil {
		for _, name := range slices.Sorted(maps.Keys(r.Curve.Metrics)) {
			if slices.Contains(preferred, name) || name == "logloss" {
				list = append(list, Fact{precise(r.Curve.Metrics[name]), measureName(name) + ", rows not learned from"})
			}
		}
	} else {
		for _, name := range slices.Sorted(maps.Keys(m.Metrics)) {
			list = append(list, Fact{precise(m.Metrics[name]), measureName(name) + ", training rows"})
		}
	}
	switch {
	case r.Stability != nil && r.Stability.Index != nil:
		list = append(list, Fact{precise(*r.Stability.Index), "stability of the selection"})
	case r.Curve != nil && r.Curve.Agreement != nil:
		list = append(list, Fact{precise(*r.Curve.Agreement), "agreement of the folds on variables"})
	}
	return list
}
