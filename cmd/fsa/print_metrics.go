package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"fsa/model"
)

// printMetrics prints measures in a line.
func printMetrics(w io.Writer, where string, m map[string]float64) error {
	if len(m) == 0 {
		return nil
	}
	fmt.Fprintf(w, "%-25s", where)
	m = model.Usual(m)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		fmt.Fprintf(w, "  %s %s", name, measure(m[name]))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// measure writes a measure. One that is nearly 1 must not look like 1.
func measure(v float64) string {
	text := fmt.Sprintf("%.4g", v)
	if v < 1 && text == "1" {
		return fmt.Sprintf("%.8g", v)
	}
	return text
}

// precise writes a measure with more digits.
func precise(v float64) string {
	text := fmt.Sprintf("%.6g", v)
	if v < 1 && text == "1" {
		return fmt.Sprintf("%.12g", v)
	}
	return text
}

// measureName says what is compared: a measure, or the mean of a loss.
func measureName(name string) string {
	if slices.Contains(model.MeasureNames(), name) {
		return name
	}
	return name + " loss"
}

// notLearned says where something was measured.
const notLearned = "on rows not learned from:"

// printTest prints measures on rows that were kept from learning.
func printTest(w io.Writer, t model.Test) error {
	where := map[string]string{
		"test":    fmt.Sprintf("on %d test rows:", t.Rows),
		"holdout": fmt.Sprintf("on %d rows held out:", t.Rows),
		"nested":  fmt.Sprintf("nested, %d folds:", len(t.Sizes)),
	}[t.Name]
	return printMetrics(w, where, t.Metrics)
}
