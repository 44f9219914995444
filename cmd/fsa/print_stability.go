package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"fsa/internal/decimal"
	"fsa/model"
	"fsa/validate"
)

// printStability prints the stability of the selection.
func printStability(w io.Writer, m *model.Model, most int) error {
	s := m.Stability()
	if s == nil {
		return nil
	}
	fmt.Fprintf(w, "\nselection repeated on %d half samples:\n", s.Halves)
	selected := m.Selected() // in the same order
	order := make([]int, min(len(s.Variables), len(selected)))
	for i := range order {
		order[i] = i
	}
	if len(order) > most { // the least stable variables
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.Variables[a].Share, s.Variables[b].Share) })
		order = order[:most]
	}
	text := stabilityTable(s, selected, order, false)
	for line := range strings.Lines(text) {
		if breadth(strings.TrimRight(line, " \n")) > terminal {
			text = stabilityTable(s, selected, order, true)
			break
		}
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if n := len(selected) - most; n > 0 {
		fmt.Fprintf(w, "… and %d more that are selected as often or more often (--verbose prints them)\n", n)
	}
	if s.Index != nil {
		fmt.Fprintf(w, "stability of the selection %.2f (1: all agree, 0: as by chance): %s\n", *s.Index, (validate.Stability{Index: *s.Index}).Verdict())
	}
	if s.Cutoff == nil {
		_, err := fmt.Fprintln(w, "the number of false selections has no useful bound: too large a share of the\nvariables is selected")
		return err
	}
	sure := 0
	for _, share := range s.Shares {
		if share >= *s.Cutoff {
			sure++
		}
	}
	were := "variables were"
	if sure == 1 {
		were = "variable was"
	}
	in := "every half sample"
	if *s.Cutoff < 1 {
		in = fmt.Sprintf("at least %.0f%% of the half samples", 100**s.Cutoff)
	}
	_, err := fmt.Fprintf(w, "%d %s selected in %s;\nexpected number of false selections ≤ %s\n", sure, were, in, decimal.Digits(*s.Bound, 2))
	return err
}

// stabilityTable returns the table of some variables and half samples. If it is narrow, names and headings are shorter.
func stabilityTable(s *model.Stability, selected []model.Selected, order []int, narrow bool) string {
	var b strings.Builder
	tab := newTable(&b)
	letters, intervals, instead, correlation := shownLetters, "coefficient, 95% interval", "selected instead", " (correlation %.2f)"
	if s.Confidence > 0 {
		intervals = fmt.Sprintf("effect, %s%% interval after selection", decimal.Digits(100*s.Confidence, 4))
	}
	if narrow {
		letters, instead, correlation = shownLetters/2, "instead (correlation)", " (%.2f)"
		intervals = strings.TrimSuffix(intervals, " after selection")
	}
	fmt.Fprintf(tab, "variable\tselected in\t%s\t%s\n", intervals, instead)
	var names []string
	for _, i := range order {
		names = append(names, selected[i].FullName())
	}
	for at, name := range readable(names, letters) {
		i := order[at]
		v := s.Variables[i]
		between := ""
		if len(v.Low) == 1 && selected[i].Levels == nil && selected[i].Knots == nil {
			between = decimal.Digits(v.Low[0], 3) + " to " + decimal.Digits(v.High[0], 3)
		}
		if len(v.Estimate) == 1 && between != "" {
			between = decimal.Digits(v.Estimate[0], 3) + ", " + between
		}
		if s.Confidence > 0 && v.Low == nil {
			between = "unknown" // no half sample selected it
		}
		rival := ""
		if len(v.Rivals) > 0 {
			r := v.Rivals[0]
			if rival = shorten(r.Name, 12); r.Correlation != 0 {
				rival += fmt.Sprintf(correlation, r.Correlation)
			}
		}
		fmt.Fprintf(tab, "%s\t%.0f%%\t%s\t%s\n", name, 100*v.Share, between, rival)
	}
	tab.Flush() // to memory
	return b.String()
}
