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
	fmt.Fprintf(w, "\non %d half samples:\n", s.Halves)
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "variable\tselected\tcoefficient, 95%\twhere it is not selected")
	var names []string
	selected := m.Selected() // in the same order
	for i := range s.Variables[:min(len(s.Variables), len(selected), shownVariables)] {
		names = append(names, selected[i].FullName())
	}
	for i, name := range readable(names, shownLetters) {
		v := s.Variables[i]
		between := ""
		if len(v.Low) == 1 {
			between = fmt.Sprintf("%.3g to %.3g", v.Low[0], v.High[0])
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
		fmt.Fprintf(w, "stability of the selection %.2f (1 all agree, 0 chance): %s\n", *s.Index, (validate.Stability{Index: *s.Index}).Verdict())
	}
	if s.Cutoff == nil {
		_, err := fmt.Fprintln(w, "no share of the half samples bounds the false variables: try fewer with -k")
		return err
	}
	sure := 0
	for _, share := range s.Shares {
		if share >= *s.Cutoff {
			sure++
		}
	}
	_, err := fmt.Fprintf(w, "on %.0f%% of them or more: %d, of which at most %.2g are expected to be false\n", 100**s.Cutoff, sure, *s.Bound)
	return err
}
