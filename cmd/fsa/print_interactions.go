package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"

	"fsa/internal/decimal"
	"fsa/model"
)

// andInteractions counts the interactions of a model in its first line.
func andInteractions(m *model.Model) string {
	switch n := len(m.Interactions()); n {
	case 0:
		return ""
	case 1:
		return " and 1 interaction"
	default:
		return fmt.Sprintf(" and %s interactions", decimal.Count(n))
	}
}

// printInteractions prints the selected pairs: their importance, and what they add for each product
// of standard deviations or, for a category, for each standard deviation. Of a surface, and of curves for
// each category, it prints the range of what they add.
func printInteractions(w io.Writer, m *model.Model, most int) error {
	list := m.Interactions()
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintln(w)
	largest := list[0].Norm
	if sel := m.Selected(); len(sel) > 0 {
		largest = max(largest, sel[0].Norm)
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "interaction\timportance\t\tper standard deviations")
	for i := range list[:min(len(list), most)] {
		t := &list[i]
		own, levels := t.Coefficients[0], t.Variables[1].Categories
		text := decimal.Padded(own[0], 4)
		if n := len(t.Variables[0].Knots); n > 0 {
			text = fmt.Sprintf("from %s to %s over %d × %d knots", decimal.Digits(slices.Min(own), 4), decimal.Digits(slices.Max(own), 4), n, len(own)/n)
			if levels != nil {
				text = fmt.Sprintf("from %s to %s, a curve for each of %d categories", decimal.Digits(slices.Min(own), 4), decimal.Digits(slices.Max(own), 4), len(levels))
			}
		} else if levels != nil {
			text = levelEffects(levels, own, true, roomBeside)
		}
		name := shorten(t.Variables[0].Name, shownLetters/2) + " × " + shorten(t.Variables[1].Name, shownLetters/2)
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\n", clean(name), decimal.Padded(t.Norm, 4), bar(t.Norm/max(largest, math.SmallestNonzeroFloat64)), text)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if n := len(list) - most; n > 0 {
		fmt.Fprintf(w, "… and %d more interactions (--json has all)\n", n)
	}
	return nil
}
