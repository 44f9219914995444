package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fsa/internal/decimal"
	"fsa/model"
	"fsa/report"
)

// printMetrics prints measures on one line.
func printMetrics(w io.Writer, where, loss string, m map[string]float64) error {
	if len(m) == 0 {
		return nil
	}
	m = model.Usual(loss, m)
	names, each := []string{}, map[string][]string{} // measures, and their values for each output
	for _, name := range slices.Sorted(maps.Keys(m)) {
		of, output := model.MeasureOf(name)
		if names = append(names, of); output != "" {
			each[of] = append(each[of], measure(name, m[name])+" at "+oneLine(shorten(output, shownLetters)))
		}
	}
	var list []string
	for _, name := range slices.Compact(names) {
		text, outputs := measureLabel(name), strings.Join(each[name], ", ")
		if v, ok := m[name]; ok && outputs == "" {
			text += " " + measure(name, v)
		} else if ok {
			text += fmt.Sprintf(" %s (%s)", measure(name, v), outputs)
		} else {
			text += " " + outputs
		}
		list = append(list, text)
	}
	where = fmt.Sprintf("%-16s  ", where)
	text := where + strings.Join(list, "  ")
	if width := breadth(where); breadth(text) > terminal { // a line for each measure
		var lines []string
		for _, one := range list {
			lines = append(lines, wrap(one, terminal-width, terminal-width)...)
		}
		text = where + strings.Join(lines, "\n"+strings.Repeat(" ", width))
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// labels are the measures that are printed under another name.
var labels = map[string]string{
	"r2": "R²", "rmse": "RMSE", "mae": "MAE", "auc": "AUC", "error": "error rate", "logloss": "log loss", "ndcg10": "NDCG@10", "map": "MAP",
	"concordance": "concordance", "uno": "Uno's concordance", "rps": "ranked probability score", "pinball": "pinball loss", "below": "share below", "brier": "Brier score", "ap": "average precision", "balanced": "balanced error",
}

// measureLabel returns the printed name of a measure.
func measureLabel(name string) string {
	name, output := model.MeasureOf(name)
	return strings.TrimSuffix(cmp.Or(labels[name], name)+" "+output, " ")
}

// unitless lists the measures that do not depend on the unit of the target.
var unitless = []string{"r2", "auc", "error", "balanced", "brier", "ap", "ndcg10", "map", "below", "concordance", "uno"}

// measure formats a measure with three decimals, or with four digits if it has a unit.
func measure(name string, v float64) string { return written(name, v, 3, 4) }

// precise formats a measure with more digits.
func precise(name string, v float64) string { return written(name, v, 6, 6) }

// written formats a measure with the given number of decimals, or of significant digits if it has a
// unit or is small. A value close to 1 must not look like 1.
func written(name string, v float64, decimals, significant int) string {
	name, _ = model.MeasureOf(name)
	if !slices.Contains(unitless, name) {
		return decimal.Padded(v, significant)
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	switch one := strconv.FormatFloat(1, 'f', decimals, 64); {
	case v < 1 && text == one:
		for more := decimals + 1; more <= 2*decimals+2; more++ {
			if longer := strconv.FormatFloat(v, 'f', more, 64); !strings.HasPrefix(longer, "1.") {
				return longer
			}
		}
	case name != "r2" && v > 0 && v < 0.01:
		return decimal.Digits(v, 2)
	}
	return strings.Replace(text, "-"+strconv.FormatFloat(0, 'f', decimals, 64), strconv.FormatFloat(0, 'f', decimals, 64), 1)
}

// measureName returns the name of what is compared: a measure, or the mean of a loss.
func measureName(name string) string {
	if slices.Contains(model.MeasureNames(), name) {
		return measureLabel(name)
	}
	return name + " loss"
}

// lossMeaning is [measureName] with an explanation of the squared loss, which is printed beside an
// RMSE.
func lossMeaning(name string) string {
	if name == "squared" {
		return "squared loss (half the mean squared error)"
	}
	return measureName(name)
}

// Where something was measured.
const (
	onTraining = "training:"
	outOfFold  = "cross-validated:"
)

// printTest prints measures on held-out rows.
func printTest(w io.Writer, loss string, t model.Test) error {
	where := map[string]string{
		"test":    fmt.Sprintf("%d test rows:", t.Rows),
		"holdout": fmt.Sprintf("%d rows held out:", t.Rows),
		"nested":  fmt.Sprintf("nested, %d folds:", len(t.Sizes)),
	}[t.Name]
	return printMetrics(w, where, loss, t.Metrics)
}

// printReference prints the comparison with a model of all columns, if there is one.
func printReference(w io.Writer, v *model.Validation) {
	if r := (*report.Reference)(v.Reference); r != nil {
		wrapped(w, r.Text())
	}
}
