package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"fsa/model"
)

// printMetrics prints measures in a line.
func printMetrics(w io.Writer, where string, m map[string]float64) error {
	if len(m) == 0 {
		return nil
	}
	fmt.Fprintf(w, "%-16s", where)
	m = model.Usual(m)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(w, "  %s %s", measureLabel(name), measure(name, m[name]))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// labels are the measures that have another name for a person.
var labels = map[string]string{
	"r2": "R²", "rmse": "RMSE", "mae": "MAE", "auc": "AUC", "error": "error rate", "logloss": "log loss", "ndcg10": "NDCG@10", "map": "MAP",
	"brier": "Brier score", "ap": "average precision", "balanced": "balanced error",
}

// measureLabel names a measure for a person.
func measureLabel(name string) string { return cmp.Or(labels[name], name) }

// unitless are the measures that do not depend on the unit of the target.
var unitless = []string{"r2", "auc", "error", "balanced", "brier", "ap", "ndcg10", "map"}

// measure writes a measure with three decimals, or with four digits if it has a unit.
func measure(name string, v float64) string { return written(name, v, 3, 4) }

// precise writes a measure with more digits.
func precise(name string, v float64) string { return written(name, v, 6, 6) }

// written writes a measure with so many decimals, or significant digits if it has a unit or is small. One
// that is nearly 1 must not look like 1.
func written(name string, v float64, decimals, significant int) string {
	if !slices.Contains(unitless, name) {
		return digits(v, significant)
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	switch one := strconv.FormatFloat(1, 'f', decimals, 64); {
	case v < 1 && text == one:
		if longer := strconv.FormatFloat(v, 'f', 2*decimals+2, 64); !strings.HasPrefix(longer, "1.") {
			return longer
		}
	case name != "r2" && v > 0 && v < 0.01:
		return digits(v, 2)
	}
	return strings.Replace(text, "-"+strconv.FormatFloat(0, 'f', decimals, 64), strconv.FormatFloat(0, 'f', decimals, 64), 1)
}

// measureName says what is compared: a measure, or the mean of a loss.
func measureName(name string) string {
	if slices.Contains(model.MeasureNames(), name) {
		return measureLabel(name)
	}
	return name + " loss"
}

// lossMeaning is [measureName], and says what the squared loss is: it stands beside an RMSE.
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

// printTest prints measures on rows that were kept from learning.
func printTest(w io.Writer, t model.Test) error {
	where := map[string]string{
		"test":    fmt.Sprintf("%d test rows:", t.Rows),
		"holdout": fmt.Sprintf("%d rows held out:", t.Rows),
		"nested":  fmt.Sprintf("nested, %d folds:", len(t.Sizes)),
	}[t.Name]
	return printMetrics(w, where, t.Metrics)
}
