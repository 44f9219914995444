package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// exact writes a number so that it can be read back.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// brief writes a number for a reader.
func brief(v float64) string {
	s := fmt.Sprintf("%.3g", v)
	if a := math.Abs(v); a >= 1000 && a < 1e15 {
		s = strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strings.ReplaceAll(s, "-", "−")
}

// steady writes a number with three digits, also if the last are zeros, for a column.
func steady(v float64) string {
	if a := abs(v); a >= 0.001 && a < 1000 {
		return strings.ReplaceAll(strings.TrimSuffix(fmt.Sprintf("%#.3g", v), "."), "-", "−")
	}
	return brief(v)
}

// percent writes a share.
func percent(v float64) string {
	p := 100 * v
	switch {
	case p > 0 && p < 0.1:
		return "<0.1%"
	case p > 0 && p < 1, p > 99 && p < 100:
		return strings.ReplaceAll(fmt.Sprintf("%.1f%%", p), "-", "−")
	}
	return fmt.Sprintf("%.0f%%", p)
}

// plural writes a number of things.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// measureName says what is compared: a measure, or the mean of a loss.
func measureName(name string) string {
	if label, ok := measures[name]; ok {
		return label
	}
	return name + " loss"
}

// measures are those that have another name for readers.
var measures = map[string]string{
	"r2": "R²", "rmse": "RMSE", "mae": "MAE", "auc": "AUC", "error": "error rate", "logloss": "log loss", "ndcg10": "NDCG@10", "map": "MAP",
	"brier": "Brier score", "ap": "average precision", "balanced": "balanced error", "deviance": "deviance",
}

func abs(v float64) float64 { return max(v, -v) }

// precise writes a measure; one that is nearly 1 must not look like 1.
func precise(v float64) string {
	if abs(v) < 1e-12 { // rounding
		v = 0
	}
	text := fmt.Sprintf("%.3f", v)
	if v < 1 && text == "1.000" || abs(v) >= 100 || abs(v) < 0.01 && v != 0 {
		if text = fmt.Sprintf("%.4g", v); abs(v) >= 1000 && abs(v) < 1e15 {
			text = fmt.Sprintf("%.0f", v)
		}
	}
	return strings.ReplaceAll(text, "-", "−")
}
