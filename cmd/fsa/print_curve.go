package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"fsa/internal/decimal"
	"fsa/model"
	"fsa/validate"
)

// shownSizes is roughly the number of sizes of a curve that are printed.
const shownSizes = 20 // with --verbose

// printCurve prints the error over the number of variables, and marks the best and the chosen size.
func printCurve(w io.Writer, v *model.Validation, sizes int) error {
	if len(v.Points) < 2 {
		return nil
	}
	fmt.Fprintf(w, "%s, cross-validated, %d folds:\n", lossMeaning(v.Measure), v.Folds)
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range v.Points {
		least, most = min(least, p.Mean), max(most, p.Mean)
	}
	axis := "size"
	if v.Budgets != nil {
		axis = "budget"
	}
	tab := newTable(w)
	fmt.Fprintln(tab, axis+"\tmean ± standard error\t\t")
	for _, p := range shown(v, sizes) {
		mark := ""
		switch {
		case p.Size == v.Chosen && p.Size == v.Best:
			mark = "chosen and best"
		case p.Size == v.Chosen:
			mark = "chosen"
		case p.Size == v.Best:
			mark = "best"
		}
		fmt.Fprintf(tab, "%s\t%s ± %s\t%s\t%s\n", sizeName(v, p), decimal.Padded(p.Mean, 4), decimal.Padded(twoDigits(p.SE), 2), bar((p.Mean-least)/max(most-least, 1e-300)), mark)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if v.Rule != "" { // otherwise the budget is given
		wrapped(w, fmt.Sprintf("chosen (%s rule): %s", v.Rule, validate.DescribeRule(v.Rule)))
	}
	_, err := fmt.Fprintln(w)
	return err
}

// shown returns the points of a curve that are printed: the first, the last, the best, the chosen,
// and some in between.
func shown(v *model.Validation, most int) []model.ValidationPoint {
	step := (len(v.Points) + most - 1) / most
	var list []model.ValidationPoint
	for i, p := range v.Points {
		if i%step == 0 || i == len(v.Points)-1 || p.Size == v.Best || p.Size == v.Chosen {
			list = append(list, p)
		}
	}
	return list
}

// twoDigits rounds a standard error of any size to two significant digits.
func twoDigits(v float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	return rounded
}
