package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"fsa/model"
	"fsa/validate"
)

// printStability prints how sure a selection is.
func printStability(w io.Writer, m *model.Model) error {
	s := m.Stability()
	if s == nil {
		return nil
	}
	fmt.Fprintf(w, "\nselection repeated on %d half samples:\n", s.Halves)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "variable\tselected in\tcoefficient, 95% interval\tselected instead")
	var names []string
	selected := m.Selected() // in the same order
	for i := range s.Variables[:min(len(s.Variables), len(selected), shownVariables)] {
		names = append(names, selected[i].FullName())
	}
	for i, name := range readable(names, shownLetters) {
		v := s.Variables[i]
		between := ""
		if len(v.Low) == 1 {
			between = digits(v.Low[0], 3) + " to " + digits(v.High[0], 3)
		}
		rival := ""
		if len(v.Rivals) > 0 {
			r := v.Rivals[0]
			rival = fmt.Sprintf("%s (correlation %.2f)", shorten(r.Name, 12), r.Correlation)
		}
		fmt.Fprintf(tab, "%s\t%.0f%%\t%s\t%s\n", name, 100*v.Share, between, rival)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if s.Index != nil {
		fmt.Fprintf(w, "stability of the selection %.2f (1: all agree, 0: as by chance): %s\n", *s.Index, (validate.Stability{Index: *s.Index}).Verdict())
	}
	if s.Cutoff == nil {
		_, err := fmt.Fprintln(w, "no error bound at any threshold; try a smaller -k")
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
	_, err := fmt.Fprintf(w, "%d %s selected in %s;\nexpected number of false selections ≤ %.2g\n", sure, were, in, *s.Bound)
	return err
}
