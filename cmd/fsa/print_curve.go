package main

import (
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"fsa/model"
	"fsa/validate"
)

// shownSizes is how many sizes of a curve are printed, about.
const shownSizes = 20

// printCurve prints the error over the number of variables, with the best and the chosen
// one marked.
func printCurve(w io.Writer, v *model.Validation) error {
	if len(v.Points) < 2 {
		return nil
	}
	fmt.Fprintf(w, "%s, cross-validated, %d folds:\n", lossMeaning(v.Measure), v.Folds)
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range v.Points {
		least, most = min(least, p.Mean), max(most, p.Mean)
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "size\tmean ± standard error\t\t")
	for _, p := range shown(v) {
		mark := ""
		switch {
		case p.Size == v.Chosen && p.Size == v.Best:
			mark = "chosen and best"
		case p.Size == v.Chosen:
			mark = "chosen"
		case p.Size == v.Best:
			mark = "best"
		}
		fmt.Fprintf(tab, "%d\t%s ± %s\t%s\t%s\n", p.Size, digits(p.Mean, 4), digits(p.SE, 2), bar((p.Mean-least)/max(most-least, 1e-300)), mark)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "chosen (%s rule): %s\n\n", v.Rule, validate.DescribeRule(v.Rule))
	return err
}

// shown returns the points of a curve that are printed: the first, the last, the best, the
// chosen, and some between.
func shown(v *model.Validation) []model.ValidationPoint {
	step := (len(v.Points) + shownSizes - 1) / shownSizes
	var list []model.ValidationPoint
	for i, p := range v.Points {
		if i%step == 0 || i == len(v.Points)-1 || p.Size == v.Best || p.Size == v.Chosen {
			list = append(list, p)
		}
	}
	return list
}
