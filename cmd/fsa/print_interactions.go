package main

import (
	"fmt"
	"io"
	"math"
	"slices"

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
	list = list[:min(len(list), most)]
	width, longestForm := 0, 0
	for i := range list {
		width = max(width, breadth(pairName(&list[i])))
		longestForm = max(longestForm, breadth(pairForms(&list[i])[0]))
	}
	bars, room := 10, terminal-len("  importance  ")-2-width
	if room-bars < longestForm {
		bars = 5
	}
	tab := newTable(w)
	fmt.Fprintln(tab, "interaction\timportance\t\tper standard deviations")
	for i := range list {
		t, forms := &list[i], pairForms(&list[i])
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\n", pairName(t), decimal.Padded(t.Norm, 4), barOf(t.Norm/max(largest, math.SmallestNonzeroFloat64), bars), forms[longest(forms, room-bars)])
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if n := len(m.Interactions()) - most; n > 0 {
		fmt.Fprintf(w, "… and %d more %s (--json has all)\n", n, map[bool]string{true: "interaction", false: "interactions"}[n == 1])
	}
	return nil
}

// pairForms describes what a pair adds, from the longest text to the shortest.
func pairForms(t *model.Interaction) []string {
	own, levels := t.Coefficients[0], t.Variables[1].Categories
	span := "from " + decimal.Digits(slices.Min(own), 4) + " to " + decimal.Digits(slices.Max(own), 4)
	switch n := len(t.Variables[0].Knots); {
	case n > 0 && levels != nil:
		return []string{fmt.Sprintf("%s, a curve for each of %d categories", span, len(levels)), fmt.Sprintf("%s, %d curves", span, len(levels)), span}
	case n > 0:
		return []string{fmt.Sprintf("%s over %d × %d knots", span, n, len(own)/n), fmt.Sprintf("%s, %d × %d knots", span, n, len(own)/n), span}
	case levels != nil:
		return []string{strongestLevels(levels, own, shownEffects/2, true, shownOfLevels), strongestLevels(levels, own, 1, true, shownOfLevels), strongestLevels(levels, own, 1, true, shownOfLevels/2)}
	}
	return []string{decimal.Padded(own[0], 4)}
}

// pairName returns the name of an interaction in a table.
func pairName(t *model.Interaction) string {
	return clean(shorten(t.Variables[0].Name, shownLetters/2) + " × " + shorten(t.Variables[1].Name, shownLetters/2))
}
