package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"fsa/internal/decimal"
	"fsa/internal/plots"
)

// exact formats a number so that it can be read back exactly.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// brief formats a number with three digits.
func brief(v float64) string {
	if small(v) {
		return minus(strconv.FormatFloat(v, 'g', 3, 64))
	}
	return minus(decimal.Digits(rounded(v), 3))
}

// small reports whether a number has so many zeros after the point that scientific notation is
// clearer.
func small(v float64) bool { return abs(v) >= 1e-12 && abs(v) < 1e-4 }

// rounded keeps three digits of a large number, and all digits before the point of others, such as
// years.
func rounded(v float64) float64 {
	if large := abs(v); large >= 10_000 && large < 1e300 {
		unit := math.Pow(10, math.Floor(math.Log10(large))-2)
		return math.Round(v/unit) * unit
	}
	return v
}

// asExact rounds a mean to the third digit of its standard deviation.
func asExact(mean, sd float64) float64 {
	if !(sd > 0) || math.IsInf(sd, 0) {
		return mean
	}
	unit := math.Pow(10, math.Floor(math.Log10(sd))-2)
	if to := math.Round(mean/unit) * unit; !math.IsNaN(to) && !math.IsInf(to, 0) {
		return to
	}
	return mean
}

// steady formats a number with three digits, including trailing zeros, for a column.
func steady(v float64) string {
	if small(v) {
		return brief(v)
	}
	return minus(decimal.Padded(rounded(v), 3))
}

// minus replaces the hyphen of a negative number by a minus sign.
func minus(text string) string { return decimal.Typeset(text) }

// percent formats a share.
func percent(v float64) string {
	p := 100 * v
	switch {
	case p > 0 && p < 0.1:
		return "<0.1%"
	case p > 0 && p < 1, p > 99 && p < 100:
		return fmt.Sprintf("%.1f%%", p)
	}
	return fmt.Sprintf("%.0f%%", p)
}

// plural formats a number of things.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return decimal.Count(n) + " " + many
}

// MeasureName returns the name of what is compared: a measure, or the mean of a loss.
func MeasureName(name string) string {
	if label, ok := measures[name]; ok {
		return label
	}
	of, output, _ := strings.Cut(name, "_") // the measure of one of several outputs
	if label, ok := measures[of]; ok {
		return label + " of " + output
	}
	return name + " loss"
}

// measures are the measures with another name for readers.
var measures = map[string]string{
	"r2": "R²", "rmse": "RMSE", "mae": "MAE", "auc": "AUC", "error": "error rate", "logloss": "log loss", "ndcg10": "NDCG@10", "map": "MAP",
	"brier": "Brier score", "ap": "average precision", "balanced": "balanced error", "deviance": "deviance",
	"concordance": "concordance", "uno": "Uno's concordance", "rps": "ranked probability score", "pinball": "pinball loss", "below": "share below",
}

func abs(v float64) float64 { return max(v, -v) }

// precise formats a measure. A value that is nearly 1 must not look like 1.
func precise(v float64) string {
	if abs(v) < 1e-12 { // rounding error
		v = 0
	}
	text := fmt.Sprintf("%.3f", v)
	for more := 4; v < 1 && strings.HasPrefix(text, "1.") && more <= 8; more++ {
		text = fmt.Sprintf("%.*f", more, v)
	}
	if v < 1 && strings.HasPrefix(text, "1.") {
		text = "1.000" // equal to 1 in all visible digits
	}
	if abs(v) >= 100 || abs(v) < 0.01 && v != 0 {
		return brief(v)
	}
	return minus(text)
}

// isolated lists names in a sentence.
func isolated(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = plots.Isolate(name)
	}
	return strings.Join(list, ", ")
}
